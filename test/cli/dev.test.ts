/** `run --dev`: the command that serves a folder while its files are edited. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bulkheadProcess, startBulkhead } from "../support/command-line.ts";
import { direct, webhook } from "../support/flows.ts";
import { folderOf, writeFiles } from "../support/folders.ts";

test("run --dev deploys what is saved, shows diagnostics with their lines, makes a token and ends with Ctrl-C", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "bulkhead-dev-"));
  const steps = ["log: 'got ${body}'", "to: direct:stock", "setBody: { constant: ok }"];
  await writeFile(join(folder, "orders.yaml"), webhook("orders", ...steps));
  await writeFile(join(folder, "stock.yaml"), direct("stock", "stock", "setBody: { constant: 7 }"));
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
  assert.doesNotMatch(stdout, /external_direct|descriptors/, "the folder has the flow that is called");
  assert.ok(!stdout.includes('{"ts"'), stdout);
  await assert.rejects(fetch(url), "the runtime has ended, too");
});

test("run --dev deploys the documents of its folder: a connection before the flow that needs it, and a policy as it is saved", async (t) => {
  const steps = "to: { uri: 'sql:select 7 as n', parameters: { dataSource: '#notes', outputType: SelectOne } }";
  const folder = folderOf(t, {
    "routes/seven.yaml": webhook("seven", steps, "setBody: { simple: '${body}' }"),
    "routes/documents/connections/notes.json": '{ "kind": "embedded" }',
  });
  const dev = startBulkhead(["run", "--dev", folder, "--port", "0"]);
  t.after(async () => {
    dev.kill("SIGTERM");
    await dev.ended;
  });
  const started = await dev.said(/✓ +seven +revision \d+ serves/);
  assert.match(started, /✓ +connection notes +revision 1 is in force/);
  const url = /bulkhead serves (\S+)/.exec(started)?.[1] ?? "";
  const called = () => fetch(`${url}/api/seven`, { method: "POST" });
  assert.equal(await (await called()).text(), "7");

  const policy = join(folder, "routes/documents/auth/seven.json");
  writeFiles(folder, { "routes/documents/auth/seven.json": '{ "public": tru' });
  await dev.said(/✗ +documents +not deployed: .*\n(?:.*\n)*?error\[bad_json\].*\n.*seven\.json/);
  await writeFile(policy, `{ "apiKeys": [{ "name": "shop", "sha256": "${"5f".repeat(32)}" }] }`);
  await dev.said(/✓ +policy of seven +revision 1 is in force/);
  assert.equal((await called()).status, 401);
});

test("run --dev deploys a companion file that is saved alone, and shows what is wrong with one", async (t) => {
  const companion = "routes/greet.flow.yaml";
  const folder = folderOf(t, {
    "routes/greet.yaml": webhook("greet", "setBody: { constant: '{{greeting}}' }"),
    [companion]: "params: { greeting: Hello }\n",
  });
  const dev = startBulkhead(["run", "--dev", folder, "--port", "0"]);
  t.after(async () => {
    dev.kill("SIGTERM");
    await dev.ended;
  });
  const started = await dev.said(/✓ +greet +revision 1 serves/);
  const url = /bulkhead serves (\S+)/.exec(started)?.[1] ?? "";
  const greeting = async () => (await fetch(`${url}/api/greet`, { method: "POST" })).text();
  assert.equal(await greeting(), "Hello");
  writeFiles(folder, { [companion]: "params: { greeting: Hi }\n" });
  await dev.said(/✓ +greet +revision 2 serves/);
  assert.equal(await greeting(), "Hi");
  writeFiles(folder, { [companion]: "parms: { greeting: Hi }\n" });
  const refused = await dev.said(/✗ +greet +not deployed: \d errors\n(?:.*\n)*? *--> \S+greet\.flow\.yaml:1:\d+\n/);
  assert.match(refused, /error\[companion_invalid\]: there is no option 'parms'/);
  assert.doesNotMatch(refused, /has changed alone/);
});

test("run --dev refuses a folder that is not there, and options that it does not have", async () => {
  const missing = await bulkheadProcess(["run", "--dev", "no-such-folder"]);
  assert.deepEqual([missing.code, missing.stdout], [2, ""]);
  assert.match(missing.stderr, /there is no folder no-such-folder/);
  const misspelt = await bulkheadProcess(["run", "--dev", "--prot", "1"]);
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /did you mean '--port'/);
});
