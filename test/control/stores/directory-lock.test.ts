/** Two runtimes on one directory: in one process, in two, in process namespaces, on two machines. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type DirectoryLock, lockDirectory } from "../../../src/control/stores/directory-lock.ts";
import { epochMs } from "../../support/clock.ts";

const root = mkdtempSync(join(tmpdir(), "bulkhead-lock-"));
after(() => rmSync(root, { recursive: true, force: true }));

const ownerScript = fileURLToPath(new URL("../../support/lock-owner.ts", import.meta.url));
/** A shell's words before a command; none where this user may not make process namespaces. */
const unshare = ["unshare", "--pid", "--fork", "--kill-child"];
const namespaces = spawnSync(unshare[0] as string, [...unshare.slice(1), "true"]).status === 0;

function take(path: string, onLost?: (reason: string) => void): Promise<DirectoryLock> {
  return lockDirectory({ variable: "DATA_DIR", path, mode: 0o700, record: "lock", waitMs: 0 }, onLost);
}

/** `said`: what a process of its own prints of the lock. */
async function inProcess(t: TestContext, path: string, waitMs = 0, before: readonly string[] = []) {
  const [command = "", ...args] = [...before, process.execPath, ownerScript, path, String(waitMs)];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  return { child, said: said.toString().trim() };
}

async function recordOf(directory: string) {
  return JSON.parse(await readFile(join(directory, "lock"), "utf8"));
}

/** Resolves when files that are written get another time than this one has: file systems count in milliseconds. */
async function laterThan(path: string): Promise<void> {
  const probe = `${path}.probe`;
  const { ctimeMs } = await stat(path);
  do await writeFile(probe, "");
  while ((await stat(probe)).ctimeMs - ctimeMs < 2);
  await rm(probe);
}

test("a second lock is refused with a message that names the owner, until the owner releases it", async (t) => {
  const directory = join(root, "one");
  const first = await take(directory);
  const message = new RegExp(`^DATA_DIR is in use by process ${process.pid} on ${hostname()}, started .*: stop it, or`);
  await assert.rejects(take(directory), (error: Error) => {
    assert.match(error.message, message);
    assert.ok(!error.message.includes(root), "no path");
    return true;
  });
  assert.match((await inProcess(t, directory)).said, message);
  assert.deepEqual((await readdir(directory)).sort(), ["lock", "lock.sqlite"]);
  await first.release();
  assert.deepEqual(await readdir(directory), ["lock.sqlite"]);
  await (await take(directory)).release();
});

test("one of many concurrent processes gets the lock", async () => {
  const directory = join(root, "many");
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => take(directory)));
  assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
});

test("an owner in another process namespace is found, although its process id means nothing here", async (t) => {
  const directory = join(root, "namespaces");
  const words = namespaces ? unshare : [];
  const first = await inProcess(t, directory, 0, words);
  assert.equal(first.said, "locked");
  if (namespaces) assert.equal((await recordOf(directory)).pid, 1);
  assert.match((await inProcess(t, directory, 0, words)).said, /^DATA_DIR is in use by process /);
  // What a container with the same host name would have left, dead or alive: only the kernel's lock counts.
  for (const pid of [2 ** 22 + 1, process.pid, 1]) {
    await writeFile(join(directory, "lock"), JSON.stringify({ ...(await recordOf(directory)), pid }));
    assert.match((await inProcess(t, directory)).said, new RegExp(`^DATA_DIR is in use by process ${pid} on `));
  }
});

test("a lock waits for a killed owner until its last thread has ended, and no longer", async (t) => {
  const directory = join(root, "killed");
  const first = await inProcess(t, directory);
  const stopped = execFileSync("kill", ["-STOP", String(first.child.pid)]);
  assert.equal(stopped.length, 0);
  const second = inProcess(t, directory, 60_000);
  first.child.kill("SIGKILL");
  assert.equal((await second).said, "locked");
});

test("neither a dead owner's record nor an unreadable one prevents a lock", async () => {
  const directory = join(root, "dead");
  await (await take(directory)).release();
  const dead = { pid: process.pid, host: hostname(), boot: null, startedAt: "then", token: "x" };
  for (const text of [JSON.stringify(dead), "", "{", "x".repeat(100_000)]) {
    await writeFile(join(directory, "lock"), text);
    const lock = await take(directory);
    assert.equal((await recordOf(directory)).pid, process.pid);
    await lock.release();
  }
});

test("an overwritten record admits no second process, and the owner detects it", async () => {
  const directory = join(root, "garbage");
  const lost: string[] = [];
  const lock = await take(directory, (reason) => lost.push(reason));
  await writeFile(join(directory, "lock"), "garbage");
  await assert.rejects(
    take(directory),
    /^Error: DATA_DIR is in use by another process, which has left no record: stop it/,
  );
  assert.equal(lock.reason, undefined);
  assert.match(
    (await lock.lost()) ?? "",
    /^'lock' in DATA_DIR was removed or overwritten: this runtime changes nothing/,
  );
  assert.deepEqual([lock.reason, await lock.lost()], [lost[0], lost[0]]);
  assert.equal(lost.length, 1);
  await lock.release();
});

test("a lock file with content locks all the same", async (t) => {
  const directory = join(root, "written");
  await (await take(directory)).release();
  await writeFile(join(directory, "lock.sqlite"), "not a database".repeat(1000));
  const lock = await take(directory);
  assert.match((await inProcess(t, directory)).said, /is in use/);
  await lock.release();
});

test("an entry in a lock's place that is not a file is reported or replaced, and nothing waits for it", async () => {
  const directory = join(root, "special");
  const path = join(directory, "lock");
  await mkdir(directory);
  const kinds = [
    (at: string) => Promise.resolve(execFileSync("mkfifo", [at])),
    (at: string) => symlink("/dev/zero", at),
    (at: string) => mkdir(at),
  ];
  for (const make of kinds) {
    await make(`${path}.sqlite`);
    await assert.rejects(take(directory), /'lock.sqlite' in DATA_DIR is not a file: move it away/);
    await rm(`${path}.sqlite`, { recursive: true });
  }
  for (const make of kinds.slice(0, 2)) {
    await make(path);
    await (await take(directory)).release();
    assert.deepEqual(await readdir(directory), ["lock.sqlite"]);
  }
  await mkdir(path);
  await assert.rejects(take(directory), /'lock' in DATA_DIR is a directory: move it away/);
});

test("a lock whose file was removed or replaced, or whose directory was moved away, is lost", async () => {
  for (const [name, change] of Object.entries({
    removed: (directory: string) => rm(join(directory, "lock.sqlite")),
    replaced: async (directory: string) => {
      await writeFile(join(directory, "new"), "");
      await rename(join(directory, "new"), join(directory, "lock.sqlite"));
    },
    moved: async (directory: string) => {
      await rename(directory, `${directory}-away`);
      await (await take(directory)).release();
    },
  })) {
    const directory = join(root, name);
    const lock = await take(directory);
    assert.equal(await lock.lost(), undefined);
    await change(directory);
    assert.match((await lock.lost()) ?? "", /in DATA_DIR was removed or /, name);
    await lock.release();
  }
});

test("an owner on another machine keeps the lock while it touches its record", async () => {
  const directory = join(root, "elsewhere");
  const lock = await take(directory);
  const elsewhere = { ...(await recordOf(directory)), boot: "another", host: "elsewhere", pid: 1, token: "x" };
  await lock.release();
  const path = join(directory, "lock");
  await writeFile(path, JSON.stringify(elsewhere));
  await assert.rejects(
    take(directory),
    /process 1 on elsewhere, .*, which was there \d+ s ago: stop it.* wait until 45 s have passed/,
  );
  const longAgo = new Date(epochMs() - 60_000);
  await utimes(path, longAgo, longAgo);
  const taken = await take(directory);
  await writeFile(path, JSON.stringify(elsewhere));
  assert.match((await taken.lost()) ?? "", /^process 1 on elsewhere has taken DATA_DIR over: /);
  await taken.release();
  assert.equal((await recordOf(directory)).token, "x", "it is not removed by its former owner");
});

test("a copy of a directory that is in use has no owner, also on another machine", async () => {
  const directory = join(root, "live");
  const lock = await take(directory);
  const copy = join(root, "copy");
  await laterThan(join(directory, "lock.sqlite"));
  await cp(directory, copy, { recursive: true, preserveTimestamps: true });
  await (await take(copy)).release();
  const record = { ...(await recordOf(directory)), boot: "another", host: "elsewhere" };
  await writeFile(join(copy, "lock"), JSON.stringify(record));
  await (await take(copy)).release();
  await lock.release();
});

test("a data directory that cannot be made is reported as a warning", async () => {
  await writeFile(join(root, "file"), "");
  const lock = await take(join(root, "file"));
  assert.match(lock.warning ?? "", /DATA_DIR cannot be written/);
  await lock.release();
});
