/** `run --dev`: the command that serves a folder while its files are edited. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bulkheadProcess, startBulkhead } from "../support/command-line.ts";
import { webhook } from "../support/flows.ts";

test("run --dev deploys what is saved, shows diagnostics with their lines, makes a token and ends with Ctrl-C", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-dev-"));
  await writeFile(join(folder, "orders.yaml"), webhook("orders", "log: 'got ${body}'", "setBody: { constant: ok }"));
  const dev = startBulkhead(["run", "--dev", folder, "--port", "0"]);
  t.after(async () => {
    dev.kill("SIGTERM");
    await dev.ended;
    await rm(folder, { recursive: true, force: true });
  });
  const started = await dev.said(/✓ +orders +revision 1 serves after \d+ ms/);
  const url = /bulkhead serves (\S+)/.exec(started)?.[1] ?? "";
  const token = /^ +export BULKHEAD_TOKEN=(\S{32})$/m.exec(started)?.[1] ?? "";
  assert.ok(started.includes(`export BULKHEAD_URL=${url}\n`), started);
  const headers = { Authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${url}/_api/flows`, { headers })).status, 200);
  assert.equal(await readFile(join(folder, ".bulkhead", ".gitignore"), "utf8"), "*\n");

  await fetch(`${url}/api/orders`, { method: "POST", body: "seven" });
  await dev.said(/^\d\d:\d\d:\d\d INFO {2}orders\/orders +got seven \[\S+\]$/m);

  await writeFile(join(folder, "prices.yaml"), webhook("prices", "setBdy: { constant: 7 }"));
  const refused = await dev.said(/✗ +prices +not deployed: 1 error\n(?:.*\n)+? +\| +\^{6}\n/);
  assert.match(refused, /error\[unknown_step\]: .*setBdy.*setBody.*\n *--> \S+prices\.yaml:\d+:\d+\n/);
  await writeFile(join(folder, "prices.yaml"), webhook("prices", "setBody: { constant: 7 }"));
  await dev.said(/✓ +prices +revision \d+ serves/);

  dev.kill("SIGINT");
  const { code, stdout } = await dev.ended;
  assert.equal(code, 0);
  assert.equal(stdout.split("not deployed").length, 2, "a refusal is shown once");
  assert.ok(!stdout.includes('{"ts"'), stdout);
  await assert.rejects(fetch(url), "the runtime has ended, too");
});

test("run --dev refuses a folder that is not there, and options that it does not have", async () => {
  const missing = await bulkheadProcess(["run", "--dev", "no-such-folder"]);
  assert.deepEqual([missing.code, missing.stdout], [2, ""]);
  assert.match(missing.stderr, /there is no folder no-such-folder/);
  const misspelt = await bulkheadProcess(["run", "--dev", "--prot", "1"]);
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /did you mean '--port'/);
});
