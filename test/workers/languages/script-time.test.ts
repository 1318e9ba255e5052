/** What `scriptMs` counts: the CPU time that an evaluation takes, not the time that it waits for a processor. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { every } from "../../support/clock.ts";

const stoppingLookup = fileURLToPath(new URL("stopping-lookup.ts", import.meta.url));

test("an evaluation that waits for a processor longer than scriptMs is not ended", async (t) => {
  const args = ["--disable-warning=ExperimentalWarning", stoppingLookup];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "readable");
  // A stopped process has no processor, as on a machine whose processors are all taken.
  t.after(every(1500, () => child.kill("SIGCONT")));
  assert.equal(await text(child.stdout), "stops\ncontinued!\n");
});
