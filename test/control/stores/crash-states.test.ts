/**
 * A loss of power at any operation leaves what was acknowledged; `npm run storm -- crash-states` checks many more
 * states.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrashModel } from "./crash-model.ts";
import { basics, killed } from "./crash-scenarios.ts";
import { brokenWithout, searchAll } from "./crash-search.ts";
import { syncs } from "./failpoints.ts";

/** The most violations that a failure names: one missing sync makes thousands. */
const mostNamed = 3;

test("every acknowledged change survives a loss of power, and an unfinished one is complete or absent", async () => {
  const model = new CrashModel();
  for (const scenario of basics.slice(0, 4)) await searchAll(model, scenario, []);
  const { states, violations } = model.figures;
  assert.deepEqual(violations.slice(0, mostNamed), []);
  assert.ok(states > 150, `${states} states`);
});

test("a kill or a failure followed by a loss of power breaks no promise", async () => {
  const model = new CrashModel({ bootsCutOff: 0 });
  await searchAll(model, killed, ["kill", "fail"]);
  assert.deepEqual(model.figures.violations.slice(0, mostNamed), []);
});

for (const sync of syncs) {
  test(`without ${sync} a promise is broken`, async () => {
    assert.notEqual(await brokenWithout(sync), undefined);
  });
}
