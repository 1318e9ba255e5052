/** What `bulkhead restore` refuses, and what it leaves then: nothing. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type RestoreError, restoreBackup } from "../../../src/control/backup/restore.ts";
import { archiveOf, newDirectory, restore } from "./support.ts";

const orders = { path: "routes/orders.yaml", text: "- route: {}\n" };
const head = { path: "data/flows/orders/head.json", text: "{}\n" };

test("an archive becomes a directory of routes and one of data, for the runtime's user, with its version and a hold", async (t) => {
  const directory = newDirectory(t);
  writeFileSync(join(directory, "a.tar"), await archiveOf([orders, head]));
  const target = join(directory, "deep/new");
  assert.deepEqual(restore(join(directory, "a.tar"), "--to", target), {
    status: 0,
    stderr: "",
    stdout:
      "restored: 1 flows, 2 files, as of 2026-11-23T10:00:00.000Z, from Bulkhead 0.1.0\n" +
      `start it with ROUTES_DIR=${target}/routes DATA_DIR=${target}/data, and with the secrets, which no backup has\n` +
      "timers and sources wait, since the runtime that was backed up may still run: bulkhead start --start ends that\n",
  });
  assert.deepEqual(readdirSync(target, { recursive: true }).sort(), [
    ...["data", "data/flows", "data/flows/orders", "data/flows/orders/head.json"],
    ...["data/restored.json", "data/version.json", "routes", "routes/orders.yaml"],
  ]);
  assert.equal(readFileSync(join(target, "routes/orders.yaml"), "utf8"), orders.text);
  const modes = ["data", "data/flows/orders/head.json", "data/version.json"].map(
    (name) => statSync(join(target, name)).mode,
  );
  assert.deepEqual(
    modes.map((mode) => mode & 0o077),
    [0, 0, 0],
  );
});

test("with --start nothing is held back", async (t) => {
  const directory = newDirectory(t);
  writeFileSync(join(directory, "a.tar"), await archiveOf([orders]));
  await restoreBackup({ archive: join(directory, "a.tar"), directory: join(directory, "new"), start: true });
  assert.deepEqual(readdirSync(join(directory, "new/data")), ["version.json"]);
});

const damagedHead = { ...head, text: "{ }\n" };
const whole = await archiveOf([orders, head]);
const spoilt = whole.slice();
// A byte of the second file's content: backup.json and its header, orders and its header, a header.
spoilt[5 * 512] = (spoilt[5 * 512] ?? 0) ^ 1;

const refused: Record<string, readonly [archive: Uint8Array, message: RegExp]> = {
  "an empty file": [new Uint8Array(), /^it is no tar archive, or is damaged or cut off: take the backup anew/],
  "something else": [new TextEncoder().encode("a".repeat(4096)), /^it is no tar archive, or/],
  "a zipped archive": [gzipSync(whole), /^it is compressed: unpack it first/],
  "another archive": [(await archiveOf([])).slice(1024), /^it is no backup: its first file is/],
  "an archive that was cut off": [whole.slice(0, 4 * 512), /^it is no tar archive, or is damaged or cut off: /],
  "an archive without its manifest": [await archiveOf([orders], { manifest: null }), /^the archive has no end/],
  "a changed byte": [spoilt, /^'data\/flows\/orders\/head\.json' is damaged/],
  "a file that is not the one of the manifest": [
    await archiveOf([orders, damagedHead], { manifest: [orders, head] }),
    /^'data\/flows\/orders\/head\.json' is damaged: it is not what was backed up$/,
  ],
  "a missing file": [await archiveOf([orders], { manifest: [orders, head] }), /head\.json' is missing in the archive$/],
  "a file more": [
    await archiveOf([orders, head], { manifest: [orders] }),
    /head\.json' is in the archive and not in its/,
  ],
  "a file twice": [await archiveOf([orders, orders]), /^'routes\/orders\.yaml' is in the archive twice$/],
  "a newer format": [
    await archiveOf([orders], { head: { format: 2, runtime: "9.0.0" } }),
    /^the archive was made by Bulkhead 9\.0\.0 .* restore it with Bulkhead 9\.0\.0 or a later one$/,
  ],
  "newer data": [await archiveOf([orders], { head: { dataVersion: 99 } }), /data of version 99.*newer than this one/],
  "an audit log that is not whole": [
    await archiveOf([{ path: "data/audit/audit-000000000001.jsonl", text: "{}\n" }]),
    /^the audit log in the archive is broken: audit-000000000001\.jsonl, line 1: /,
  ],
};

for (const path of [
  "../x",
  "routes/../../x",
  "/etc/x",
  "routes/.hidden",
  "data/a/b/c/d",
  "x",
  "routes/a/b",
  "data/.lock",
  "routes/notes.txt",
  "data/other/x.document",
  "data/databases/x.sqlite",
  "data/policies/x.json",
  "data/flows/x/y.json",
  "data/version.json",
])
  refused[`the path ${path}`] ??= [await archiveOf([{ path, text: "" }]), /is none of a backup's files$/];

for (const [name, [bytes, message]] of Object.entries(refused)) {
  test(`refused, and nothing is restored: ${name}`, async (t) => {
    const directory = newDirectory(t);
    writeFileSync(join(directory, "a.tar"), bytes);
    const options = { archive: join(directory, "a.tar"), start: false };
    const absent = join(directory, "absent");
    await assert.rejects(restoreBackup({ ...options, directory: absent }), (error: RestoreError) => {
      assert.match(error.message, message);
      return true;
    });
    assert.ok(!existsSync(absent));
    const empty = join(directory, "empty");
    mkdirSync(empty);
    await assert.rejects(restoreBackup({ ...options, directory: empty }));
    assert.deepEqual(readdirSync(empty), []);
  });
}

test("a file of each store is restored", async (t) => {
  const directory = newDirectory(t);
  const paths = [
    ...["data/connections/shop.document", "data/databases/team/orders.sqlite", "data/flows/orders/12.json"],
    ...["data/message-mappings/a.b.document", "data/policies/orders.3.removed", "data/state/team.sqlite"],
    ...["data/value-mappings/codes.document", "routes/team.orders.yaml"],
  ];
  writeFileSync(join(directory, "a.tar"), await archiveOf(paths.map((path) => ({ path, text: "x" }))));
  const target = join(directory, "new");
  const { status, stderr } = restore(join(directory, "a.tar"), "--to", target);
  assert.deepEqual([status, stderr], [0, ""]);
  for (const path of paths) assert.equal(readFileSync(join(target, path), "utf8"), "x", path);
});

test("a directory with something in it is refused, and left alone; so is an archive that is not there", async (t) => {
  const directory = newDirectory(t);
  writeFileSync(join(directory, "a.tar"), whole);
  assert.deepEqual(restore(join(directory, "a.tar"), "--to", directory), {
    status: 1,
    stdout: "",
    stderr: `bulkhead restore: ${directory}/a.tar: ${directory} is not empty: give a directory that is, or a new one\n`,
  });
  assert.deepEqual(readdirSync(directory), ["a.tar"]);
  const { status, stderr } = restore(join(directory, "b.tar"), "--to", join(directory, "new"));
  assert.equal(status, 1);
  assert.match(stderr, /b\.tar: it cannot be read \(ENOENT\)\n$/);
  execFileSync("mkfifo", [join(directory, "pipe.tar")]);
  for (const path of ["/dev/zero", join(directory, "pipe.tar")]) {
    const refused = restore(path, "--to", join(directory, "new"));
    assert.deepEqual([refused.status, refused.stderr], [1, `bulkhead restore: ${path}: it is not a regular file\n`]);
  }
});
