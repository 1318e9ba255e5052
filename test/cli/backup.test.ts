/** `backup`: an archive of a runtime in a file, whole or not at all. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";
import { webhook } from "../support/flows.ts";
import { folderOf } from "../support/folders.ts";
import { startTestApp, token } from "../support/start-app.ts";

const greet = "- route: { id: greet, from: { uri: direct:greet, steps: [{ log: hello }] } }\n";

test("a backup is stored whole, is not replaced without --force, and is restored by the command that it names", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  await app.put("greet", greet);
  const folder = folderOf(t, {});
  const file = join(folder, "back up.tar");
  const stored = await bulkhead(["backup", file], { env });
  assert.deepEqual([stored.code, stored.stderr], [0, ""]);
  assert.match(
    stored.stdout,
    /^stored: \S+back up\.tar, [\d.]+ KiB\nTo restore it: bulkhead restore '\S+back up\.tar' --to DIRECTORY\n$/,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const again = await bulkhead(["backup", file], { env });
  assert.equal(again.code, 2);
  assert.match(again.stderr, /back up\.tar is there already: name another file, or replace it with --force/);
  writeFileSync(file, "older");
  const forced = await bulkhead(["backup", file, "--force", "--json"], { env });
  const answer = JSON.parse(forced.stdout) as { file: string; bytes: number };
  assert.deepEqual([answer.file, answer.bytes], [file, statSync(file).size]);
  assert.deepEqual(readdirSync(folder), ["back up.tar"]);

  const restored = await bulkheadProcess(["restore", file, "--to", join(folder, "restored")]);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(readFileSync(join(folder, "restored/routes/greet.yaml"), "utf8"), greet);
});

test("a backup has the key of kept messages only when it is asked for, and restore says what is missing without it", async (t) => {
  const app = await startTestApp(t);
  const env = { BULKHEAD_URL: app.url, BULKHEAD_TOKEN: token };
  const once = 'idempotentConsumer: { id: once, expression: { simple: "${body}" }, steps: [{ to: "log:x" }] }';
  await app.put("once", webhook("in", once));
  await app.post("/api/in", "1");
  const folder = folderOf(t, {});
  const [own, without, with_] = [join(app.directory, "data/data.key"), join(folder, "a.tar"), join(folder, "b.tar")];
  const none = await bulkhead(["backup", without, "--data-key"], { env });
  assert.deepEqual([none.code, existsSync(without)], [1, false]);
  assert.match(none.stderr, /has made no key for itself.*DATA_KEY/);
  writeFileSync(own, `${"ab".repeat(32)}\n`, { mode: 0o600 });
  for (const options of [[without], [with_, "--data-key"]])
    assert.equal((await bulkhead(["backup", ...options], { env })).code, 0);
  const first = await bulkheadProcess(["restore", without, "--to", join(folder, "first")]);
  assert.match(first.stdout, /has no key for the messages.*copy data\.key/);
  assert.equal(existsSync(join(folder, "first/data/data.key")), false);
  const second = await bulkheadProcess(["restore", with_, "--to", join(folder, "second")]);
  assert.doesNotMatch(second.stdout, /has no key/);
  const restored = join(folder, "second/data/data.key");
  assert.deepEqual(
    [readFileSync(restored, "utf8"), statSync(restored).mode & 0o777],
    [readFileSync(own, "utf8"), 0o600],
  );
});

test("a backup that breaks off leaves the earlier one, and nothing else", async (t) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(200, { "Content-Type": "application/x-tar" });
    response.write("a part", () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const env = { BULKHEAD_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, BULKHEAD_TOKEN: token };
  const folder = folderOf(t, { "backup.tar": "older" });
  const cut = await bulkhead(["backup", join(folder, "backup.tar"), "--force"], { env });
  assert.equal(cut.code, 1);
  assert.match(cut.stderr, /^bulkhead: no backup is stored: /);
  assert.deepEqual(readdirSync(folder), ["backup.tar"]);
  assert.equal(readFileSync(join(folder, "backup.tar"), "utf8"), "older");
  const nowhere = await bulkhead(["backup", join(folder, "none/backup.tar")], { env });
  assert.equal(asked, 1, "a runtime is not asked for a backup that cannot be stored");
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^bulkhead: no backup is stored: ENOENT/);
  assert.equal(existsSync(join(folder, "none")), false);
});
