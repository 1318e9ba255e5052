import assert from "node:assert/strict";
import { test } from "node:test";
import { Arrivals } from "../../../src/control/api/arrivals.ts";

/** Of each arrival, whether its turn has come. */
async function turnsOf(arrivals: readonly { readonly turn: Promise<void> }[]): Promise<readonly boolean[]> {
  const turns = arrivals.map(() => false);
  arrivals.forEach(({ turn }, at) => void turn.then(() => (turns[at] = true)));
  await new Promise(setImmediate);
  return turns;
}

test("each has its turn when all before it have passed, in whatever order they do", async () => {
  const arrivals = new Arrivals();
  const [a, b, c] = [arrivals.arrive("f"), arrivals.arrive("f"), arrivals.arrive("f")];
  const other = arrivals.arrive("g");
  assert.deepEqual(await turnsOf([a, b, c, other]), [true, false, false, true]);
  b.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, false, false]);
  a.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, true, true]);
});

test("one whose body does not come loses its place after a while", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const arrivals = new Arrivals();
  const [a, b] = [arrivals.arrive("f"), arrivals.arrive("f")];
  assert.deepEqual(await turnsOf([a, b]), [true, false]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(await turnsOf([a, b]), [true, true]);
  a.pass();
});
