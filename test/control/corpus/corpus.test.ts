/** The corpus of bad input against one process: each case as tabled, and afterwards the process is as it was. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { startProbed } from "../../storms/support/probed-server.ts";
import { token } from "../../storms/support/server.ts";
import { eventually } from "../../support/clock.ts";
import { patientVariables } from "../../support/patience.ts";
import { corpus } from "./cases/index.ts";
import { checkCase } from "./check-case.ts";
import { busyRuns, furnish, manage, tidy, worldAt } from "./world.ts";

/** What the main thread may hold more than before, in bytes: run records, compiled code, caches. */
const mostGrowth = 30e6;

test("the corpus of bad input", async (t) => {
  const { server, holdings } = await startProbed(patientVariables);
  t.after(() => server.remove());
  const world = worldAt(server.url, token);
  await furnish(world);
  const before = await holdings();
  const names = new Set<string>();

  for (const { group, cases } of corpus) {
    await t.test(group, async (inGroup) => {
      for (const one of cases) {
        names.add(`${group}: ${one.name}`);
        await inGroup.test(`${one.status}: ${one.name}`, () => checkCase(world, one));
      }
    });
  }

  await t.test("has at least 120 cases, each name once", () => {
    assert.equal(
      names.size,
      corpus.reduce((sum, { cases }) => sum + cases.length, 0),
    );
    assert.ok(names.size >= 120, String(names.size));
  });

  await t.test("leaves the process as it was", async () => {
    assert.deepEqual([server.child.exitCode, server.child.signalCode, server.problems()], [null, null, ""]);
    await eventually(async () => (await busyRuns(world)) === 0, "no run is under way");
    assert.equal((await manage(world, "GET", "/health")).status, 200);
    await tidy(world);
    const { heap, external } = await eventually(async () => {
      const now = await holdings();
      return now.descriptors <= before.descriptors + 20 ? now : undefined;
    }, "connections and files are closed");
    assert.ok(heap + external <= before.heap + before.external + mostGrowth, `${heap} + ${external} bytes`);
  });
});
