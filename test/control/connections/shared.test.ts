/** One client of a connection that many runs use at the same time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PoolLease } from "../../../src/workers/engine/connections/shared-client.ts";
import { SharedClient } from "../../../src/workers/engine/connections/shared-client.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import type { Run } from "../../../src/workers/engine/run.ts";
import { startAskServer } from "../../support/ask-server.ts";
import { eventually } from "../../support/clock.ts";
import { asks, document, putConnection, startAskingApp, stateOf } from "../../support/connections.ts";

const shared = "asking:#shop?shared=true";

test("runs share one client and one place, which is closed when it is not used", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, { limits: { connectionIdleMs: 100 } });
  await putConnection(app, "shop", document(server.port, { maxConnections: 1 }));
  assert.equal((await app.put("a", asks("a", shared))).status, 201);
  server.holds = true;
  const answers = Array.from({ length: 8 }, (_, i) => app.post("/api/a", `${i}`));
  await eventually(() => server.held === 8, "all questions arrive at the same time");
  const { open, idle, waiting } = await stateOf(app, "shop");
  assert.deepEqual({ open, idle, waiting }, { open: 1, idle: 0, waiting: 0 });
  server.answer();
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  assert.deepEqual(
    texts,
    Array.from({ length: 8 }, (_, i) => `answer to ${i}`),
  );
  assert.equal(server.logins.length, 1);
  await eventually(() => server.open === 0, "the idle client is closed");
  await eventually(async () => (await stateOf(app, "shop")).open === 0, "its place is free");
  assert.equal(await (await app.post("/api/a", "later")).text(), "answer to later");
  assert.equal(server.logins.length, 2);
});

test("a shared client that is lost fails the runs that use it, and the next run opens another", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port));
  await app.put("a", asks("a", shared));
  server.holds = true;
  const lost = [app.post("/api/a", "x"), app.post("/api/a", "y")];
  await eventually(() => server.held === 2, "both questions arrive");
  server.drop();
  for (const answer of lost) assert.equal((await answer).status, 500);
  server.holds = false;
  assert.equal(await (await app.post("/api/a", "z")).text(), "answer to z");
  const { errors, open } = await stateOf(app, "shop");
  assert.deepEqual({ errors, open }, { errors: 1, open: 1 });
});

test("new settings: runs that begin afterwards use a new client, while those before keep theirs to their end", async (t) => {
  const [before, after] = [await startAskServer(t), await startAskServer(t)];
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(before.port));
  await app.put("a", asks("a", shared));
  before.holds = true;
  const first = app.post("/api/a", "first");
  await eventually(() => before.held === 1, "the first question arrives");
  assert.equal((await putConnection(app, "shop", document(after.port))).status, 200);
  assert.equal(await (await app.post("/api/a", "second")).text(), "answer to second");
  assert.equal(after.logins.length, 1);
  before.answer();
  assert.equal(await (await first).text(), "answer to first");
  await eventually(() => before.open === 0, "the client with the settings of before is closed");
});

test("a shared client that is always in use gives its place to another flow that waits for it", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port, { maxConnections: 1 }));
  for (const id of ["a", "b"]) await app.put(id, asks(id, shared));
  const answers = async (id: string, text: string): Promise<void> => {
    const answer = await (await app.post(`/api/${id}`, text)).text();
    const why = (): string => app.logs.map(({ level, message }) => `${level} ${message}`).join("\n");
    if (answer !== `answer to ${text}`) assert.fail(`${answer}\n${why()}`);
  };
  let busy = true;
  const always = async (): Promise<void> => {
    while (busy) await answers("a", "x");
  };
  const users = [always(), always(), always()];
  await answers("b", "y");
  busy = false;
  await Promise.all(users);
  assert.equal(server.most, 1);
});

interface Lent extends PoolLease<string> {
  isStale: boolean;
}

/** A pool whose clients are given by hand. */
function handPool() {
  const asked: { give(): Lent; fail(): void; readonly run: unknown }[] = [];
  const released: (readonly [client: string, broken: boolean])[] = [];
  const lend = (run: unknown, signal: AbortSignal | undefined): Promise<PoolLease<string>> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      const client = `client ${asked.length + 1}`;
      const lease: Lent = {
        ...{ client, model: {} as never, isStale: false, ended: new AbortController().signal, belongsTo() {} },
        release: (broken = false) => void released.push([client, broken]),
      };
      const give = (): Lent => {
        resolve(lease);
        return lease;
      };
      asked.push({ give, fail: () => reject(new Error("no server")), run });
    });
  return { asked, released, shared: new SharedClient<string>(lend, () => {}) };
}

test("a run that gives up while the client is opened leaves the others waiting, and the pool is asked for the next of them", async () => {
  const { asked, released, shared: client } = handPool();
  const first = new AbortController();
  const runs = [{ slot: 1 }, { slot: 2 }] as unknown as Run<Exchange>[];
  const given = client.share(runs[0], first.signal);
  const kept = client.share(runs[1]);
  assert.equal(client.waiting, 1);
  first.abort(new Error("over"));
  await assert.rejects(given, /over/);
  await eventually(() => asked.length === 2, "the pool is asked again");
  assert.equal(asked[1]?.run, runs[1]);
  asked[1]?.give();
  const lease = await kept;
  assert.equal(lease.client, "client 2");
  lease.release();
  lease.release();
  assert.deepEqual(released, [["client 2", false]]);
});

test("a failure to open it reaches all who wait, and a client that one of them calls broken is lent to nobody else", async () => {
  const { asked, released, shared: client } = handPool();
  const failed = [client.share(undefined), client.share(undefined)];
  asked[0]?.fail();
  for (const one of failed) await assert.rejects(one, /no server/);
  const both = [client.share(undefined), client.share(undefined)];
  asked[1]?.give();
  const [one, other] = await Promise.all(both);
  one?.release(true);
  assert.deepEqual(released, []);
  const next = client.share(undefined);
  asked[2]?.give();
  assert.equal((await next).client, "client 3");
  other?.release();
  assert.deepEqual(released, [["client 2", true]]);
});

test("a client that is stale stays with those who have it, and the next run gets another", async () => {
  const { asked, released, shared: client } = handPool();
  const old = client.share(undefined);
  const lease = asked[0]?.give();
  const user = await old;
  if (lease !== undefined) lease.isStale = true;
  const next = client.share(undefined);
  asked[1]?.give();
  assert.equal((await next).client, "client 2");
  user.release();
  assert.deepEqual(released, [["client 1", false]]);
});
