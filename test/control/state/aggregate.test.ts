/** aggregate keeps its groups in the state store: they outlast threads, deployments and restarts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, pause } from "../../support/clock.ts";
import { failedMessage, postFailed, waitingMessages } from "../../support/failed-messages.ts";
import { heldStep } from "../../support/held-step.ts";
import { startTestApp } from "../../support/start-app.ts";
import { gathering, groups, put, send, state } from "../../support/state/gathering.ts";
import { stateDirectory as directory } from "../../support/state/open-store.ts";

test("an open group goes on after a redeploy, a rollback and a restart", async (t) => {
  const path = await directory(t);
  const app = await startTestApp(t, { directory: path });
  const five = { step: "completionSize: 5" };
  assert.deepEqual(await put(app, gathering(five)), []);
  assert.equal(await send(app, "1"), "joined");
  assert.deepEqual(await state(app), [["aggregation", "gather", "gather", 1]]);
  await put(app, gathering({ ...five, note: " 2" }));
  assert.equal(await send(app, "2"), "joined 2");
  const rollback = await app.api("/flows/shop.orders/rollback", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: '{"revision":1}',
  });
  assert.equal(rollback.status, 200);
  assert.equal(await send(app, "3"), "joined");
  await app.close();
  const again = await startTestApp(t, { directory: path });
  assert.equal(await send(again, "4"), "joined");
  assert.deepEqual(groups(again), []);
  assert.equal(await send(again, "5"), "joined");
  assert.deepEqual(groups(again), ["group [1, 2, 3, 4, 5] by size "]);
  assert.deepEqual(await state(again), [["aggregation", "gather", "gather", 0]]);
});

test("a durable class of Camel is the state store, under the bean's name", async (t) => {
  const path = await directory(t);
  const app = await startTestApp(t, { directory: path });
  const jdbc = { type: "jdbc.JdbcAggregationRepository" };
  assert.deepEqual(await put(app, gathering(jdbc)), []);
  await send(app, "1");
  assert.deepEqual(await state(app), [["aggregation", "kept", "gather", 1]]);
  await app.close();
  const again = await startTestApp(t, { directory: path });
  await send(again, "2");
  await send(again, "3");
  assert.deepEqual(groups(again), ["group [1, 2, 3] by size "]);
});

test("groups are found under the step's id: a generated one is warned of, and one that is no name is written as one", async (t) => {
  const app = await startTestApp(t);
  const warnings = await put(app, gathering({ id: "" }));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["generated_state_name"],
  );
  assert.deepEqual(await state(app), [["aggregation", "aggregate1", "aggregate1", 0]]);
  assert.deepEqual(await put(app, gathering({ id: "a/b" })), []);
  await send(app, "1");
  assert.deepEqual(await state(app), [["aggregation", "a%2Fb", "a/b", 1]]);
  const removed = await app.api("/flows/shop.orders/state/a%252Fb", { method: "DELETE" });
  assert.equal(removed.status, 200);
  // The bean may be the repository of another step.
  await put(
    app,
    gathering({ id: "kept", type: "MemoryAggregationRepository" }).replace("aggregationRepository: kept", ""),
  );
  assert.deepEqual(await state(app), [["aggregation", "aggregate:kept", "kept", 0]]);
});

test("a group whose time is over while the runtime is down is complete when it starts", async (t) => {
  const path = await directory(t);
  const app = await startTestApp(t, { directory: path });
  await put(app, gathering({ step: "completionTimeout: 2000" }));
  await send(app, "1");
  await app.close();
  await pause(2000);
  const again = await startTestApp(t, { directory: path });
  // On a slow machine the first runtime has completed it.
  const complete = (): string[] => [...groups(app), ...groups(again)];
  await eventually(() => complete().length > 0, "the group");
  // One whose run the end of the first runtime has cut off is delivered again.
  assert.match(complete().join(), /^group \[1\] by timeout (?:true)?$/);
});

test("a group that another deployment keeps has its time-out without another message", async (t) => {
  const app = await startTestApp(t);
  await put(app, gathering({ step: "completionTimeout: 600" }));
  await send(app, "1");
  await put(app, gathering({ step: "completionTimeout: 600", note: " 2" }));
  await eventually(() => groups(app).length > 0, "the group");
  assert.deepEqual(groups(app), ["group [1] by timeout "]);
  await eventually(async () => JSON.stringify(await state(app)).includes(",0]"), "the group's removal");
});

test("a replaced deployment completes the groups that it has by force, and leaves those that its successor goes on with", async (t) => {
  const held = await heldStep(t);
  const app = await startTestApp(t, { egressAllow: held.host });
  const begins = `- route:
    id: slow
    from:
      uri: webhook
      steps:
        - ${held.step}
`;
  const flow = (note: string): string =>
    gathering({ step: "completionSize: 3\n            forceCompletionOnStop: true", note }) + begins;
  await put(app, flow(""));
  await send(app, "1", "mine");
  await send(app, "1", "ours");
  const slow = app.post("/api/slow", "");
  await held.holds(1);
  await put(app, flow(" 2"));
  assert.equal(await send(app, "2", "ours"), "joined 2");
  held.letGo();
  await slow;
  await eventually(() => groups(app).length > 0, "the group of the old deployment");
  await eventually(async () => JSON.stringify(await state(app)).includes(",1]"), "the group's removal");
  assert.deepEqual(groups(app), ["group [1] by force "]);
  await send(app, "3", "ours");
  assert.deepEqual(groups(app), ["group [1] by force ", "group [1, 2, 3] by size "]);
});

for (const parallel of [false, true]) {
  test(`a completed group whose steps fail becomes a failed message${parallel ? ", in a run of its own" : ""}`, async (t) => {
    const app = await startTestApp(t);
    const steps = "- throwException: { exceptionType: java.io.IOException, message: no }";
    await put(app, gathering({ step: `completionSize: 2\n            parallelProcessing: ${parallel}`, steps }));
    await send(app, "1");
    assert.equal(await send(app, "2"), "joined");
    const [failed] = await waitingMessages(app, 1);
    assert.deepEqual(
      [failed?.routeId, failed?.error?.type, failed?.trigger.kind],
      ["in", "java.io.IOException", "aggregate"],
    );
    const { message } = await failedMessage(app, failed?.id ?? "");
    assert.deepEqual(message?.body, ["1", "2"]);
    await put(app, gathering({ note: " 2" }));
    assert.equal((await postFailed(app, `${failed?.id}/retry`)).status, 202);
    await eventually(() => groups(app).length > 0, "the retry");
    assert.deepEqual(groups(app), ["group [1, 2] by size "]);
    await eventually(async () => JSON.stringify(await state(app)).includes(",0]"), "the group's removal");
  });
}

test("an operator discards groups, and the next message begins another one", async (t) => {
  const app = await startTestApp(t);
  await put(app, gathering({ step: "completionSize: 2" }));
  await send(app, "1");
  assert.equal((await app.api("/flows/shop.orders/state/gather?key=k", { method: "DELETE" })).status, 200);
  await send(app, "2");
  await send(app, "3");
  assert.deepEqual(groups(app), ["group [2, 3] by size "]);
});

test("another strategy is refused as long as there are groups", async (t) => {
  const app = await startTestApp(t);
  await put(app, gathering());
  await send(app, "1");
  const other = gathering({ strategy: "UseLatestAggregationStrategy" });
  const refused = await app.put("shop.orders", other);
  assert.equal(refused.status, 409);
  assert.equal(refused.headers.get("X-Error-Code"), "state_in_use");
  assert.match(await refused.text(), /DELETE \/_api\/flows\/shop.orders\/state\/gather/);
  assert.equal((await app.api("/flows/shop.orders/state/gather", { method: "DELETE" })).status, 200);
  await put(app, other);
});

test("a repository in memory is warned of, and forgets with a redeploy; one that is none is refused", async (t) => {
  const app = await startTestApp(t);
  const warnings = await put(app, gathering({ type: "MemoryAggregationRepository" }));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ["state_in_memory"],
  );
  assert.deepEqual(await (await app.api("/flows/shop.orders/state")).json(), []);
  await send(app, "1");
  await put(app, gathering({ type: "MemoryAggregationRepository", step: "completionSize: 2" }));
  const lost = "1 groups of 'gather' were not complete and are lost";
  await eventually(() => app.logs.some(({ message }) => message === lost), "the report");
  await send(app, "2");
  await send(app, "3");
  assert.deepEqual(groups(app), ["group [2, 3] by size "]);
  const refused = await app.put("shop.orders", gathering({ type: "GroupedBodyAggregationStrategy" }));
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /JdbcAggregationRepository/);
});

test("messages that come at once join in their order, each is answered when it is kept", async (t) => {
  const app = await startTestApp(t);
  await put(app, gathering({ step: "completionSize: 20" }));
  const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => send(app, String(at), `k${at % 3}`)));
  assert.ok(answers.every((answer) => answer === "joined"));
  const joined = groups(app).flatMap((line) => line.match(/\d+/g) ?? []);
  assert.equal(new Set(joined).size, 60);
  assert.equal(groups(app).length, 3);
});
