/** Groups of aggregate whose thread or runtime is lost, or that a restored runtime has. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { failedMessage, waitingMessages } from "../../support/failed-messages.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { gathering, groups, logged, put, send, state } from "../../support/state/gathering.ts";
import { stateDirectory } from "../../support/state/open-store.ts";
import { closeSession, joinHeaders, openSession } from "../../support/test-sessions.ts";

/** A runtime whose runs end with it. */
const startShort = (t: TestContext, directory: string): Promise<TestApp> =>
  startTestApp(t, { directory, limits: { drainMs: 200, shutdownMs: 200 } });

const running = async (app: TestApp): Promise<boolean> =>
  JSON.stringify(await (await app.api("/runs?status=running")).json()).includes("shop.orders");

const removed = async (app: TestApp): Promise<boolean> => JSON.stringify(await state(app)).includes(",0]");

async function recovered(app: TestApp): Promise<number> {
  const text = await (await app.api("/metrics")).text();
  return Number(/^bulkhead_route_recovered_groups_total.* (\d+)$/m.exec(text)?.[1]);
}

test("a completed group whose thread was lost is run again, and counted", async (t) => {
  const path = await stateDirectory(t);
  const app = await startShort(t, path);
  const steps = `- filter: { simple: "\${header.CamelRedelivered} != true", steps: [{ delay: { constant: 60000 } }] }
              ${logged}`;
  await put(app, gathering({ step: "completionSize: 2", steps }));
  await send(app, "1");
  const pending = app.post("/api/in", "2", { key: "k" }).catch(() => undefined);
  await eventually(() => running(app), "the run");
  await app.close();
  await pending;
  const again = await startTestApp(t, { directory: path });
  await eventually(() => groups(again).length > 0, "the group");
  assert.deepEqual(groups(again), ["group [1, 2] by size true"]);
  assert.ok(again.logs.some(({ message }) => message.includes("is run again (1)")));
  assert.equal(await recovered(again), 1);
  await eventually(() => removed(again), "the group's removal");
});

test("a group that was taken over three times without an end becomes a failed message", async (t) => {
  const path = await stateDirectory(t);
  const app = await startShort(t, path);
  const steps = "- delay: { constant: 60000 }";
  await put(app, gathering({ step: "completionSize: 2\n            parallelProcessing: true", steps }));
  await send(app, "1");
  await send(app, "2");
  await eventually(() => running(app), "the run");
  await app.close();
  for (let takeover = 1; takeover <= 3; takeover += 1) {
    const next = await startShort(t, path);
    await eventually(() => running(next), `takeover ${takeover}`);
    assert.deepEqual([await recovered(next), await removed(next)], [1, false]);
    await next.close();
  }
  const last = await startTestApp(t, { directory: path });
  const [failed] = await waitingMessages(last, 1);
  assert.equal(failed?.error?.type, "RunLostException");
  assert.match(failed?.error?.message ?? "", /begun 4 times/);
  assert.deepEqual((await failedMessage(last, failed?.id ?? "")).message?.body, ["1", "2"]);
  assert.ok(await removed(last));
  assert.equal(await recovered(last), 0);
});

test("a restored runtime completes no group before it is started, and then those whose time is over", async (t) => {
  const path = await stateDirectory(t);
  const app = await startTestApp(t, { directory: path });
  await put(app, gathering({ step: "completionTimeout: 600000" }));
  await send(app, "1");
  await app.close();
  const database = new DatabaseSync(join(path, "data/state/shop.sqlite"));
  assert.equal(database.prepare("UPDATE aggregations SET deadline = 1").run().changes, 1);
  database.close();
  const held = await startTestApp(t, { directory: path, held: true });
  assert.match(await send(held, "2"), /^503 /);
  assert.deepEqual([groups(held), await state(held)], [[], [["aggregation", "gather", "gather", 1]]]);
  assert.equal((await held.api("/flows/shop.orders/start", { method: "POST" })).status, 200);
  await eventually(() => groups(held).length > 0, "the group");
  assert.deepEqual(groups(held), ["group [1] by timeout "]);
});

for (const parallel of [false, true]) {
  test(`a group that fails in a test session is kept when it has a message of others${parallel ? ", in a run of its own" : ""}`, async (t) => {
    const app = await startTestApp(t);
    const steps = "- throwException: { exceptionType: java.io.IOException, message: no }";
    await put(app, gathering({ step: `completionSize: 2\n            parallelProcessing: ${parallel}`, steps }));
    const session = await openSession(app, {
      flowId: "shop.orders",
      scope: "session",
      mocks: [{ uri: "log:x", spy: true }],
    });
    const joins = joinHeaders(session);
    for (const body of ["t1", "t2"]) await app.post("/api/in", body, { key: "tests", ...joins });
    await app.post("/api/in", "live", { key: "k" });
    await app.post("/api/in", "t3", { key: "k", ...joins });
    const [failed, ...others] = await waitingMessages(app, 1);
    assert.deepEqual(others, []);
    assert.deepEqual((await failedMessage(app, failed?.id ?? "")).message?.body, ["live", "t3"]);
    await eventually(() => removed(app), "the groups' removal");
    await closeSession(app, session);
  });
}
