import assert from "node:assert/strict";
import { test } from "node:test";
import { Places } from "../../../src/control/stores/keyed-queue.ts";

/** Of each place, whether its turn has come. */
async function turnsOf(places: readonly { readonly turn: Promise<void> }[]): Promise<readonly boolean[]> {
  const turns = places.map(() => false);
  places.forEach(({ turn }, at) => void turn.then(() => (turns[at] = true)));
  await new Promise(setImmediate);
  return turns;
}

test("each has its turn when all before it have passed, in whatever order they do", async () => {
  const places = new Places();
  const [a, b, c] = [places.enter("f"), places.enter("f"), places.enter("f")];
  const other = places.enter("g");
  assert.deepEqual(await turnsOf([a, b, c, other]), [true, false, false, true]);
  b.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, false, false]);
  a.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, true, true]);
});

test("one whose body does not come loses its place after a while", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const places = new Places();
  const [a, b] = [places.enter("f"), places.enter("f")];
  assert.deepEqual(await turnsOf([a, b]), [true, false]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(await turnsOf([a, b]), [true, true]);
  assert.equal(a.hold(), undefined);
});

test("one whose work has begun keeps its place until that is over, however long it takes and although its caller has left", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const places = new Places();
  const [a, b] = [places.enter("f"), places.enter("f")];
  const release = a.hold();
  a.pass();
  t.mock.timers.tick(10_000);
  assert.deepEqual(await turnsOf([a, b]), [true, false]);
  release?.();
  assert.deepEqual(await turnsOf([a, b]), [true, true]);
});

test("what runs before the line is open comes before all that has entered", async () => {
  const places = new Places();
  const opened = Promise.withResolvers<void>();
  const early = places.enter("f", opened.promise);
  const boot = Promise.withResolvers<void>();
  void places.run("f", () => boot.promise);
  opened.resolve();
  assert.deepEqual(await turnsOf([early]), [false]);
  boot.resolve();
  assert.deepEqual(await turnsOf([early]), [true]);
});
