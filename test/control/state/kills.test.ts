/** The short form of the storm `state`. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dice } from "../../storms/support/dice.ts";
import { StateKills } from "../../storms/support/state-kills.ts";

test("after kills no acknowledged key is forgotten, no message is lost, and a kill explains what came twice", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-state-kills-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const figures = await new StateKills(directory, dice(17)).run(4);
  assert.deepEqual(figures.problems, []);
  assert.ok(figures.acknowledged > 0 && figures.repeated > 0);
});
