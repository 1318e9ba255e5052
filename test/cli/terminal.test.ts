/** What reaches the terminal: no escape sequence of a runtime's data, columns that stand below each other, and outputs that end early. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { bulkhead, startBulkhead } from "../support/command-line.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, token } from "../support/start-app.ts";

const hostile = webhook(
  "hostile",
  'log: { logName: "\\e[2Jname", message: "first\\n23:59:59 ERROR \\e]0;title\\a\\x9b31m${body}" }',
  'setBody: { constant: "\\e[31mred\\x9b0m" }',
);

// biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

test("log lines, trace bodies and refusals cannot steer the terminal, nor can a message pass for another entry", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const put = await app.put("hostile", hostile);
  assert.equal(put.status, 201, await put.text());
  const followed = [
    startBulkhead(["logs", "-f", "--flow", "hostile"], env),
    startBulkhead(["logs", "-f", "--flow", "hostile", "--json"], env),
    startBulkhead(["trace", "-f", "--body", "full"], env),
    startBulkhead(["trace", "-f", "--body", "full", "--json"], env),
  ];
  t.after(() => followed.map((one) => one.kill("SIGKILL")));
  await Promise.all(followed.map((one) => one.said(/^Following/)));
  await app.post("/api/hostile", "\u009b2J\u202eevil");
  const shown = await Promise.all(followed.map((one) => one.said(/evil[\s\S]*red|title[\s\S]*evil/)));
  for (const text of shown) assert.doesNotMatch(text, steering);
  assert.match(shown[0] ?? "", /first\n {4}23:59:59 ERROR/);
  const [event = ""] = (shown[1] ?? "").split("\n").filter((line) => line.startsWith("{"));
  assert.ok(
    (JSON.parse(event) as { message: string }).message.endsWith("\u001b]0;title\u0007\u009b31m\u009b2J\u202eevil"),
  );
  const body = await bulkhead(["call", "hostile"], { env, width: 80 });
  assert.equal(body.stdout, "\\u001b[31mred\\u009b0m\n");
  const refused = await bulkhead(["runs", "show", "\u001b[2Jnothing"], { env });
  assert.equal(refused.code, 1);
  assert.doesNotMatch(refused.stderr, steering);
});

test("tables count wide characters as two columns, cut none in two, and never cut an id", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const id = "orders-of-all-shops-in-the-whole-world";
  for (const [flow, description] of [
    ["prices", "価格 💶 and more"],
    [id, "plain words and more"],
  ] as const)
    assert.equal((await app.put(flow, webhook(flow, "log: x"), { description })).status, 201);
  const table = await bulkhead(["list", "flows"], { env });
  const [, first = "", second = ""] = table.stdout.split("\n");
  assert.deepEqual([first.endsWith("plain words and more"), second.endsWith("価格 💶 and more")], [true, true]);
  for (let width = 90; width < 110; width += 1) {
    const [, long = "", wide = ""] = (await bulkhead(["list", "flows"], { env, width })).stdout.split("\n");
    assert.ok(long.startsWith(`${id}  `), long);
    assert.ok(long.length <= width, long);
    assert.ok(wide.isWellFormed(), wide);
  }
});

test("a reader that has enough ends the command with 141 and no word, and an output that is full is a failure", () => {
  const run = (line: string) =>
    spawnSync("bash", ["-c", line], { encoding: "utf8", env: { ...process.env, NODE: process.execPath } });
  const { stdout, stderr } = run('"$NODE" bin/bulkhead.js catalog --json | head -n 1; echo "${PIPESTATUS[0]}"');
  // The document is longer than a pipe holds, so the command still writes when its reader has gone.
  assert.deepEqual([stdout.split("\n").slice(1), stderr], [["141", ""], ""]);
  const full = run('"$NODE" bin/bulkhead.js --help > /dev/full');
  assert.equal(full.status, 1);
  assert.match(full.stderr, /^bulkhead: the output cannot be written: .*ENOSPC/);
});
