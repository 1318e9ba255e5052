/** The bounds of failed messages by bytes, for one flow and for all, and what is left of flows that a set has pruned. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { failedList, waitingMessages } from "../support/failed-messages.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

const broken = "throwException: { exceptionType: java.io.IOException, message: broken }";
const async202 = { prefer: "respond-async" };
const dropped = (app: TestApp): readonly string[] =>
  app.logs.flatMap(({ message }) => (message.startsWith("failed messages were dropped for good") ? [message] : []));

/** Sends a message whose run fails, and waits until it is kept; `name` makes it another one than the others. */
async function fail(app: TestApp, route: string, name: string, bytes: number): Promise<void> {
  const answer = await app.post(`/api/${route}`, name.padEnd(bytes, "."), { ...async202, "x-name": name });
  assert.equal(answer.status, 202);
  const runId = answer.headers.get("x-run-id");
  await eventually(async () => {
    const { status } = (await (await app.api(`/runs/${runId}`)).json()) as { status: string };
    return status === "failed";
  }, `the run of ${name}`);
}

async function kept(app: TestApp): Promise<readonly string[]> {
  const all = await failedList(app, "?state=waiting&limit=500");
  return all.map(({ flowId, routeId, bytes }) => `${flowId} ${routeId} ${bytes > 4000 ? "large" : "small"}`).sort();
}

test("a flow whose failed messages take more bytes than its limit loses the oldest of its largest route, with a line in the log", async (t) => {
  const app = await startTestApp(t, { limits: { failedBytes: 80_000 } });
  await app.put("f", webhook("big", broken) + webhook("small", broken));
  await fail(app, "small", "s1", 10);
  for (const name of ["b1", "b2", "b3"]) await fail(app, "big", name, 20_000);
  const [oldest] = (await waitingMessages(app, 3, "?state=waiting&routeId=big")).slice(-1);
  assert.deepEqual(dropped(app), []);
  await fail(app, "big", "b4", 20_000);
  await eventually(async () => (await kept(app)).length === 4, "room is made");
  assert.deepEqual(await kept(app), ["f big large", "f big large", "f big large", "f small small"]);
  assert.equal((await app.api(`/failed/${oldest?.id}`)).status, 404);
  assert.match(dropped(app)[0] ?? "", /failedBytes.*: 1 of route 'big'$/);
  const metrics = await (await app.api("/metrics")).text();
  assert.match(metrics, /bulkhead_failed_messages_total\{[^}]*event="dropped"[^}]*\} 1/);
});

test("when all flows have more than the sum allows, the flow that has most loses its oldest, and the others nothing", async (t) => {
  const app = await startTestApp(t, { limits: { failedTotalBytes: 96_000 } });
  for (const id of ["shop.most", "bank.less"]) await app.put(id, webhook(id.split(".")[1] as string, broken));
  await fail(app, "less", "l1", 20_000);
  for (const name of ["m1", "m2", "m3", "m4"]) await fail(app, "most", name, 20_000);
  await eventually(async () => (await kept(app)).length < 5, "room is made", 20_000);
  const left = await kept(app);
  assert.deepEqual([left.length, left.filter((one) => one.startsWith("bank")).length], [4, 1]);
  await eventually(() => dropped(app).length === 1, "the line in the log");
  assert.match(dropped(app)[0] ?? "", /failedTotalBytes.*: 1 of route 'most'$/);
});

test("what a flow had kept is gone when a set prunes the flow, and stays for the others", async (t) => {
  const app = await startTestApp(t);
  const flow = (id: string): object => ({
    id: `shop.${id}`,
    yaml:
      webhook(
        id,
        "setBody: { constant: duplicate }",
        `idempotentConsumer: { id: seen, header: id, steps: [{ setBody: { constant: new } }] }`,
      ) + webhook(`${id}-fails`, broken),
  });
  const deploy = async (flows: readonly object[]): Promise<void> => {
    const init = { method: "POST", headers: { "Content-Type": "application/json" } };
    const answer = await app.api("/deployments?prune=true", { ...init, body: JSON.stringify({ set: "s", flows }) });
    assert.equal(answer.status, 200, await answer.text());
  };
  const send = async (id: string): Promise<string> => (await app.post(`/api/${id}`, "", { id: "1" })).text();
  await deploy([flow("goes"), flow("stays")]);
  for (const id of ["goes", "stays"]) {
    assert.equal(await send(id), "new");
    await fail(app, `${id}-fails`, id, 10);
  }
  await waitingMessages(app, 2);
  await deploy([flow("stays")]);
  await deploy([flow("goes"), flow("stays")]);
  assert.deepEqual(await kept(app), ["shop.stays stays-fails small"]);
  assert.deepEqual([await send("goes"), await send("stays")], ["new", "duplicate"]);
  await app.close();

  const database = new DatabaseSync(join(app.directory, "data/state/shop.sqlite"), { readOnly: true });
  t.after(() => database.close());
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS failed FROM failed_content").get() }, { failed: 1 });
  assert.deepEqual({ ...database.prepare("SELECT count(*) AS owners FROM owners").get() }, { owners: 2 });
});
