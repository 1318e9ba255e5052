/** The short form of the storm `state`. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dice } from "../../storms/support/dice.ts";
import { StateKills } from "../../storms/support/state-kills.ts";

test("after kills no acknowledged key is forgotten, open groups go on, no message is lost, and what came twice has a reason", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-state-kills-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const { problems, rows } = await new StateKills(directory, dice(17)).run(5);
  assert.deepEqual(problems, []);
  const measured = (name: string): number => rows.find(([what]) => what === name)?.[1] ?? 0;
  for (const what of [
    "keys: messages acknowledged",
    "... acknowledged keys sent again",
    "groups: messages acknowledged",
    "groups, in runs of their own: messages acknowledged",
    "... deliveries of groups",
    "failing messages acknowledged",
    "... retried many at once, with groups",
  ]) {
    assert.ok(measured(what) > 0, what);
  }
});
