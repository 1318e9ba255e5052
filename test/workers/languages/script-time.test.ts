/** What `scriptMs` counts: the CPU time that an evaluation takes, not the time that it waits for a processor. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const stoppingLookup = fileURLToPath(new URL("stopping-lookup.ts", import.meta.url));

test("an evaluation that waits for a processor longer than scriptMs is not ended", async (t) => {
  const args = ["--disable-warning=ExperimentalWarning", stoppingLookup];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  await once(child.stdout, "readable");
  // A stopped process has no processor, as on a machine whose processors are all taken.
  const waking = setInterval(() => child.kill("SIGCONT"), 1500);
  t.after(() => clearInterval(waking));
  assert.equal(await text(child.stdout), "stops\ncontinued!\n");
});
