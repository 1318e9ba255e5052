/** Two runtimes on one data directory. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockDataDirectory } from "../../../src/control/stores/data-lock.ts";

const root = mkdtempSync(join(tmpdir(), "bulkhead-lock-"));
after(() => rmSync(root, { recursive: true, force: true }));

async function owner(directory: string) {
  return JSON.parse(await readFile(join(directory, "lock"), "utf8"));
}

test("the second is refused and told who has it, until the first lets go", async () => {
  const directory = join(root, "one");
  const first = await lockDataDirectory(directory);
  await assert.rejects(lockDataDirectory(directory), (error: Error) => {
    assert.match(error.message, new RegExp(`^DATA_DIR is in use by process ${process.pid} on `));
    assert.ok(!error.message.includes(root), "no path");
    return true;
  });
  assert.deepEqual(await readdir(directory), ["lock"]);
  await first.release();
  assert.deepEqual(await readdir(directory), []);
  await (await lockDataDirectory(directory)).release();
});

test("of many at once, one gets it", async () => {
  const directory = join(root, "many");
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDirectory(directory)));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
});

test("a dead owner does not keep it, nor does a file that is no lock", async () => {
  const dead = { pid: 2 ** 22 + 1, host: hostname(), began: "1", startedAt: "then", token: "x" };
  const reused = { ...dead, pid: process.pid };
  for (const text of [JSON.stringify(dead), JSON.stringify(reused), "", "{"]) {
    const directory = join(root, `dead-${text.length}`);
    await (await lockDataDirectory(directory)).release();
    await writeFile(join(directory, "lock"), text);
    const lock = await lockDataDirectory(directory);
    assert.equal((await owner(directory)).pid, process.pid);
    assert.deepEqual(await readdir(directory), ["lock"]);
    await lock.release();
  }
});

test("an owner on another machine keeps it while it touches its file", async () => {
  const directory = join(root, "elsewhere");
  await (await lockDataDirectory(directory)).release();
  const path = join(directory, "lock");
  await writeFile(path, JSON.stringify({ pid: 1, host: "elsewhere", began: null, startedAt: "then", token: "x" }));
  await assert.rejects(lockDataDirectory(directory), /process 1 on elsewhere/);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(path, longAgo, longAgo);
  const lock = await lockDataDirectory(directory);
  await lock.release();
});

test("a lock that was taken over is not removed by its former owner", async () => {
  const directory = join(root, "over");
  const lock = await lockDataDirectory(directory);
  const other = { ...(await owner(directory)), token: "another" };
  await writeFile(join(directory, "lock"), JSON.stringify(other));
  await lock.release();
  assert.equal((await owner(directory)).token, "another");
});

test("a data directory that cannot be made is a warning", async () => {
  await writeFile(join(root, "file"), "");
  const lock = await lockDataDirectory(join(root, "file"));
  assert.match(lock.warning ?? "", /DATA_DIR cannot be written/);
  await lock.release();
});
