/** `backup`: an archive of a runtime in a file, whole or not at all. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { bulkhead, bulkheadProcess } from "../support/command-line.ts";
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
