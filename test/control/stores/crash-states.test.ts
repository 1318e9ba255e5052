/** What a loss of power may leave at any operation is what was acknowledged; `npm run storm -- crash-states` looks at many more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CrashModel } from "./crash-model.ts";
import { basics, killed } from "./crash-scenarios.ts";
import { brokenWithout, searchAll } from "./crash-search.ts";
import { syncs } from "./failpoints.ts";

test("every acknowledged change outlives a loss of power, and one under way is whole or not there", async () => {
  const model = new CrashModel();
  for (const scenario of basics.slice(0, 4)) await searchAll(model, scenario, []);
  const { states, violations } = model.figures;
  assert.deepEqual(violations, []);
  assert.ok(states > 150, `${states} states`);
});

test("a kill or a failure, and a loss of power later, break no promise either", async () => {
  const model = new CrashModel({ bootsCutOff: 0 });
  await searchAll(model, killed, ["kill", "fail"]);
  assert.deepEqual(model.figures.violations, []);
});

for (const sync of syncs) {
  test(`${sync} is needed`, async () => {
    assert.notEqual(await brokenWithout(sync), undefined);
  });
}
