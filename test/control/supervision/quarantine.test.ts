/** How long a flow rests that costs too many threads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Quarantine } from "../../../src/control/threads/pool/run-admission.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { eventually } from "../../support/clock.ts";

test("kills in a row are a rest, and each one on trial doubles it", async () => {
  const quarantine = new Quarantine({ ...defaultLimits, quarantineKills: 3, quarantineMs: 20 });
  assert.deepEqual([quarantine.kill(), quarantine.kill(), quarantine.remainingMs], [undefined, undefined, 0]);
  for (const restMs of [20, 40, 80]) {
    assert.equal(quarantine.kill(), restMs);
    await eventually(() => quarantine.remainingMs === 0, "the rest is over");
  }
});

test("the longest rest is ten minutes", () => {
  const quarantine = new Quarantine({ ...defaultLimits, quarantineKills: 1, quarantineMs: 400_000 });
  assert.equal(quarantine.kill(), 400_000);
  assert.equal(quarantine.kill(), 600_000);
});
