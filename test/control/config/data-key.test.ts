/** DATA_KEY and DATA_KEY_FILE: their forms, and what is wrong with others; the key that a data directory makes for itself. */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { dataKeys, takeDataKey } from "../../../src/control/data-key.ts";

async function emptyDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-key-"));
  t.after(() => rm(directory, { recursive: true }));
  return directory;
}

const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7));

test("a key is 32 bytes in hexadecimal or base64, from the variable, which is removed, or from a file", async (t) => {
  const directory = await emptyDirectory(t);
  const file = join(directory, "key");
  await writeFile(file, `${bytes.toString("base64url")}\n`);
  for (const env of [
    { DATA_KEY: bytes.toString("hex") },
    { DATA_KEY: ` ${bytes.toString("base64")} ` },
    { DATA_KEY_FILE: file },
  ] as Record<string, string>[]) {
    const problems: string[] = [];
    assert.deepEqual(Buffer.from(takeDataKey(env, problems) ?? []), bytes);
    assert.deepEqual(problems, []);
    assert.equal(env["DATA_KEY"], undefined);
  }
  assert.equal(takeDataKey({}, []), undefined);
});

test("a key of another length, both variables and a missing file are problems that never show the key", () => {
  for (const [env, problem] of [
    [{ DATA_KEY: "hush" }, /^DATA_KEY: a key is 32 bytes/],
    [{ DATA_KEY: bytes.toString("hex"), DATA_KEY_FILE: "x" }, /set one of them/],
    [{ DATA_KEY_FILE: "/none" }, /'\/none' cannot be read \(ENOENT\)/],
  ] as const) {
    const problems: string[] = [];
    assert.equal(takeDataKey({ ...env }, problems), undefined);
    assert.match(problems.join(), problem);
    assert.doesNotMatch(problems.join(), /hush/);
  }
});

test("a data directory without a key of the operator makes one, says so once, and reads with it later, too", async (t) => {
  const directory = await emptyDirectory(t);
  const file = join(directory, "data.key");
  const made = await dataKeys({ directory, given: undefined, mayWrite: true });
  assert.match(made.made ?? "", /data\.key.*--data-key/);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.equal((await readFile(file, "utf8")).trim(), Buffer.from(made.keys[0]).toString("hex"));
  assert.deepEqual(await dataKeys({ directory, given: undefined, mayWrite: true }), { keys: made.keys });
  const given = await dataKeys({ directory, given: bytes, mayWrite: true });
  assert.deepEqual(given.keys.map(Buffer.from), [bytes, Buffer.from(made.keys[0])]);
});

test("a data.key that is no key stops the start, and one that cannot be stored stops what would be kept", async (t) => {
  const directory = await emptyDirectory(t);
  await writeFile(join(directory, "data.key"), "no key");
  const damaged = /data\.key: a key is 32 bytes.*put the key back.*or remove the file/;
  await assert.rejects(dataKeys({ directory, given: undefined, mayWrite: true }), damaged);
  const none = await dataKeys({ directory: join(directory, "none"), given: undefined, mayWrite: true });
  assert.match(none.readOnly ?? "", /data\.key.*cannot be written \(ENOENT\).*restart/);
});
