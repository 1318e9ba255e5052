import assert from "node:assert/strict";
import { test } from "node:test";
import { Places } from "../../../src/control/stores/keyed-queue.ts";
import { turn } from "../../support/clock.ts";

/** Returns for each place whether its turn has come. */
async function turnsOf(places: readonly { readonly turn: Promise<void> }[]): Promise<readonly boolean[]> {
  const turns = places.map(() => false);
  places.forEach(({ turn }, at) => void turn.then(() => (turns[at] = true)));
  await turn();
  return turns;
}

test("a place gets its turn when all places before it have passed, in whatever order", async () => {
  const places = new Places();
  const [a, b, c] = [places.enter("f"), places.enter("f"), places.enter("f")];
  const other = places.enter("g");
  assert.deepEqual(await turnsOf([a, b, c, other]), [true, false, false, true]);
  b.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, false, false]);
  a.pass();
  assert.deepEqual(await turnsOf([a, b, c]), [true, true, true]);
  for (const place of [c, other]) place.pass();
});

test("a request whose body does not arrive loses its place after a timeout", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const places = new Places();
  const [a, b] = [places.enter("f"), places.enter("f")];
  assert.deepEqual(await turnsOf([a, b]), [true, false]);
  t.mock.timers.tick(10_000);
  assert.deepEqual(await turnsOf([a, b]), [true, true]);
  assert.equal(a.hold(), undefined);
});

test("a request whose work has begun keeps its place until the work ends, even if it takes long and its caller has left", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const places = new Places();
  const [a, b] = [places.enter("f"), places.enter("f")];
  const release = a.hold();
  a.pass();
  t.mock.timers.tick(10_000);
  assert.deepEqual(await turnsOf([a, b]), [true, false]);
  release?.();
  assert.deepEqual(await turnsOf([a, b]), [true, true]);
  b.pass();
});

test("work that runs before the queue opens precedes all places that have entered", async () => {
  const places = new Places();
  const opened = Promise.withResolvers<void>();
  const early = places.enter("f", opened.promise);
  const boot = Promise.withResolvers<void>();
  void places.run("f", () => boot.promise);
  opened.resolve();
  assert.deepEqual(await turnsOf([early]), [false]);
  boot.resolve();
  assert.deepEqual(await turnsOf([early]), [true]);
  early.pass();
});
