/** Runs under way when their flow goes: they finish, and who comes later is told plainly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering, direct, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const slow = webhook("r", 'log: "began"', "delay: { constant: 400 }", 'setBody: { constant: "done" }');

for (const [change, status, init] of [
  ["DELETE", 404, { path: "/flows/f", method: "DELETE" }],
  ["stop", 503, { path: "/flows/f/stop", method: "POST" }],
] as const) {
  test(`runs under way finish after a ${change}; later calls are answered ${status}`, async (t) => {
    const app = await startTestApp(t);
    await app.put("f", slow);
    const calls = [1, 2, 3].map(() => app.post("/api/r", "x"));
    await eventually(() => app.logs.filter(({ message }) => message === "began").length === 3, "the runs began");
    assert.equal((await app.api(init.path, { method: init.method })).status, 200);
    const late = await app.post("/api/r", "x");
    assert.equal(late.status, status);
    assert.deepEqual(Object.keys((await late.json()) as object), ["error"]);
    for (const call of calls) assert.deepEqual([(await call).status, await (await call).text()], [200, "done"]);
    assert.equal((await app.put("f", answering("r", "again"))).status, change === "DELETE" ? 201 : 200);
    assert.equal(await (await app.post("/api/r", "x")).text(), "again");
  });
}

test("failed PUTs are invisible to those who call: neither answers, nor the timer's count, nor the file change", async (t) => {
  const app = await startTestApp(t);
  const ticks = "timer:t?period=20&delay=0&includeMetadata=true";
  const yaml = `${answering("r", "one")}- route:\n    id: clock\n    from:\n      uri: ${ticks}\n      steps:\n        - log: "tick \${exchangeProperty.CamelTimerCounter}"\n`;
  await app.put("f", yaml);
  await app.put("owner", `${answering("owned", "x")}${direct("d", "name", 'log: "x"')}`);
  const numbers = (): number[] =>
    app.logs.flatMap(({ message }) => (message.startsWith("tick ") ? [Number(message.slice(5))] : []));
  let done = false;
  const seen = new Set<string>();
  const caller = (async () => {
    while (!done) {
      const answer = await app.post("/api/r", "x");
      seen.add(`${answer.status} ${await answer.text()}`);
    }
  })();
  for (const [broken, status] of [
    ["- route: [", 422],
    [webhook("r", "lgo: x"), 422],
    [`${answering("r", "two")}${answering("owned", "x")}`, 409],
    [`${answering("r", "two")}${direct("e", "name", 'log: "x"')}`, 409],
  ] as const) {
    assert.equal((await app.put("f", broken)).status, status);
  }
  const ticked = numbers().length;
  await eventually(() => numbers().length > ticked, "another tick");
  done = true;
  await caller;
  assert.deepEqual([...seen], ["200 one"]);
  assert.deepEqual(
    numbers(),
    Array.from(numbers(), (_, i) => i + 1),
  );
  const [flow] = (await (await app.api("/flows")).json()) as { state: string; revision: number }[];
  assert.deepEqual([flow?.state, flow?.revision], ["Started", 1]);
});
