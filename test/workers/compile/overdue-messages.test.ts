/** Messages of a source that have no outcome long after their runs must have ended. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { OverdueMessages } from "../../../src/workers/compile/overdue-messages.ts";

function watching(mostMs: number) {
  const lines: string[] = [];
  const counted = { overdue: 0 };
  const overdue = new OverdueMessages({
    routeId: "r",
    scheme: "kafka",
    figures: { add: (_, by = 1) => void (counted.overdue += by) },
    port: { log: (_level, _logger, message) => void lines.push(message) },
    mostMs,
  });
  return { overdue, lines, counted };
}

test("a message without an outcome is reported and given back once, and counted until its outcome comes after all", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { overdue, lines, counted } = watching(0);
  const given: string[] = [];
  const settle = overdue.watch(() => void given.push("a"));
  const early = overdue.watch(() => void given.push("b"));
  early();
  const failing = overdue.watch(() => {
    throw new Error("the channel is closed");
  });
  overdue.watch(undefined);
  t.mock.timers.tick(10);
  assert.deepEqual(given, ["a"]);
  assert.equal(counted.overdue, 3);
  assert.match(
    lines[0] ?? "",
    /^a message of 'r' has no outcome after 0 s, and its run should have ended: it is given back$/,
  );
  assert.match(lines[2] ?? "", /^a message of 'r' could not be given back: the channel is closed$/);
  assert.match(lines[3] ?? "", /its thread has to end before it comes again$/);
  settle();
  settle();
  failing();
  assert.equal(counted.overdue, 1);
});

test("a message whose outcome comes in time is not reported, whatever is under way beside it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { overdue, lines, counted } = watching(60_000);
  const settle = overdue.watch(() => assert.fail("it was in time"));
  overdue.watch(undefined);
  t.mock.timers.tick(60_000);
  settle();
  t.mock.timers.tick(1);
  assert.deepEqual(lines, []);
  assert.equal(counted.overdue, 0);
});
