/** DATA_KEY and DATA_KEY_FILE: their forms, and what is wrong with others. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { takeDataKey } from "../../../src/control/data-key.ts";

const bytes = Buffer.from(Array.from({ length: 32 }, (_, i) => i * 7));

test("a key is 32 bytes in hexadecimal or base64, from the variable, which is removed, or from a file", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-key-"));
  t.after(() => rm(directory, { recursive: true }));
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
