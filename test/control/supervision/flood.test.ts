/** What is no flood: many answers of a busy flow. Floods are those of test/control/threads.test.ts and test/hostile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FloodBreaker } from "../../../src/control/threads/line/flood-breaker.ts";
import { answering } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";

for (const isolation of ["thread", "process"]) {
  test(`a flow under many calls may send more messages than a flood's, since it was given as many runs: ${isolation}`, async (t) => {
    const app = await startTestApp(t, { limits: { floodMessages: 20 } });
    await app.put("f", answering("r", "a"), { limits: { isolation } });
    const statuses = new Set<number>();
    const caller = async (): Promise<void> => {
      for (let i = 0; i < 60; i += 1) {
        const answer = await app.post("/api/r", "x");
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
    };
    await Promise.all(Array.from({ length: 8 }, caller));
    assert.deepEqual([...statuses], [200]);
  });
}

test("a main loop without a pause takes two messages for each run that it has given, and no more", () => {
  const breaker = new FloodBreaker(10);
  for (let run = 0; run < 1000; run += 1) {
    breaker.given();
    assert.equal(breaker.count(2), false);
  }
  assert.equal(breaker.count(9), true);
});
