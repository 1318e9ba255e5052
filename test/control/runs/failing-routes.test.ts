/** Which routes health names as failing, and since when. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { RunRecord, RunStatus } from "../../../src/control/runs/run-record.ts";
import { failingRoutes } from "../../../src/control/runs/runtime-problems.ts";
import { anOwner, aRun, ended } from "./a-run.ts";

const base = anOwner("f");
const route = { id: "r", uri: "webhook", trigger: { kind: "webhook" }, autoStartup: true } as const;
const owner = { ...base, manifest: { ...base.manifest, routes: [route] } };

const statuses = ["completed", "failed", "timeout", "killed", "shed", "cancelled", "running"] as const;

/** `runs` in the order of their beginnings. */
function found(runs: readonly RunRecord[]) {
  return failingRoutes([owner], { latest: (id) => (id === "r" ? runs.toReversed() : []) });
}

function failing(runs: readonly RunStatus[]): boolean {
  const last = runs.slice(-20);
  const failed = last.filter((status) => status !== "completed").length;
  return failed > 0 && (last.length < 20 ? failed === last.length : failed >= 10);
}

test("a route fails while half of its last 20 runs did, or all of fewer; since is the first failure after it was well", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...statuses), { maxLength: 70 }), (all) => {
      const records = all.map((status, i) => {
        const record = status === "running" ? aRun("r", owner) : ended(aRun("r", owner), status);
        return Object.assign(record, { startedAt: 1000 * i, error: null });
      });
      const counted = records.filter(({ status }) => !["shed", "cancelled", "running"].includes(status));
      const seen = counted.map(({ status }) => status);
      const [route] = found(records);
      assert.equal(route !== undefined, failing(seen));
      if (route === undefined) return;
      const last = seen.slice(-20);
      assert.deepEqual([route.of, route.failed], [last.length, last.filter((one) => one !== "completed").length]);
      let from = seen.length;
      while (from > 0 && failing(seen.slice(0, from))) from -= 1;
      const first = counted.slice(from).find(({ status }) => status !== "completed");
      assert.equal(route.since, new Date(first?.startedAt ?? -1).toISOString());
    }),
  );
});

test("runs of the deployment before, and messages that were refused, say nothing about a route", () => {
  const before = ended(aRun("r", anOwner("f")), "failed");
  const refused = Object.assign(ended(aRun("r", owner), "failed"), { refused: true });
  assert.deepEqual(found([before, refused]), []);
  const failed = ended(aRun("r", owner), "failed");
  failed.error = { type: "java.io.IOException", message: "m".repeat(2000), stepId: "post", line: 3 };
  const [route] = found([before, refused, failed]);
  assert.deepEqual([route?.failed, route?.of, route?.lastError?.type], [1, 1, "java.io.IOException"]);
  assert.equal(route?.lastError?.message.length, 500);
});
