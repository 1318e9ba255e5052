/** The version of DATA_DIR: written before anything else, refused when it is newer, migrated step by step when it is older. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type DataDirectory, type MigrationStep, prepareData } from "../../../src/control/stores/data-version.ts";
import { nodeFs } from "../../../src/control/stores/fs-port.ts";
import { eventually } from "../../support/clock.ts";
import { answering } from "../../support/flows.ts";
import { token } from "../../support/start-app.ts";
import { startProcess } from "../../support/start-process.ts";
import { countedFs } from "./counted-fs.ts";
import { systemError } from "./hooked-fs.ts";

/** A directory of version 1, as runtimes before the first version made it, or empty. */
function directoryOf(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), "bulkhead-version-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(directory, name, ".."), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}

function prepare(directory: string, more: Partial<DataDirectory> = {}) {
  return prepareData({ directory, runtime: "0.1.0", mayWrite: true, ...more });
}

function versionIn(directory: string): unknown {
  return JSON.parse(readFileSync(join(directory, "version.json"), "utf8"));
}

/** Three steps; each notes its call, and leaves a file. */
function stepsNoting(calls: string[], failing?: number): readonly MigrationStep[] {
  const step = (to: number): MigrationStep => ({
    to,
    docs: `step ${to}`,
    async migrate(directory) {
      calls.push(`${to} on ${(versionOf(directory) ?? "none") as string}`);
      if (to === failing) throw systemError("ENOSPC");
      writeFileSync(join(directory, `made-by-${to}`), "");
    },
  });
  return [{ to: 1, docs: "step 1" }, step(2), step(3)];
}

function versionOf(directory: string): unknown {
  return readdirSync(directory).includes("version.json")
    ? (versionIn(directory) as { version: number }).version
    : undefined;
}

test("an empty directory gets the newest version at once, and nothing is migrated", async (t) => {
  const calls: string[] = [];
  const directory = directoryOf(t, { lock: "", "lock.sqlite": "" });
  assert.deepEqual(await prepare(directory, { steps: stepsNoting(calls) }), { made: [] });
  assert.deepEqual(versionIn(directory), { version: 3, runtime: "0.1.0" });
  assert.deepEqual(calls, []);
});

test("a directory without a version becomes version 1, and what is in it stays as it is", async (t) => {
  const directory = directoryOf(t, { "flows/a/head.json": "{}" });
  assert.deepEqual(await prepare(directory), {
    made: ["DATA_DIR is of version 1 now: a directory without a version gets one"],
  });
  assert.deepEqual(versionIn(directory), { version: 1, runtime: "0.1.0" });
  assert.deepEqual(readdirSync(directory).sort(), ["flows", "version.json"]);
  assert.deepEqual(await prepare(directory), { made: [] });
});

test("steps are made in their order, each on the version before it, and only those that are missing", async (t) => {
  const calls: string[] = [];
  const directory = directoryOf(t, { "flows/a/head.json": "{}" });
  const { made } = await prepare(directory, { steps: stepsNoting(calls) });
  assert.equal(made.length, 3);
  assert.deepEqual(calls, ["2 on 1", "3 on 2"]);
  calls.length = 0;
  writeFileSync(join(directory, "version.json"), '{"version": 2, "runtime": "0.0.1"}');
  await prepare(directory, { steps: stepsNoting(calls) });
  assert.deepEqual(calls, ["3 on 2"]);
  assert.deepEqual(versionIn(directory), { version: 3, runtime: "0.1.0" });
});

test("a step that fails refuses the start, and the next start goes on with it", async (t) => {
  const calls: string[] = [];
  const directory = directoryOf(t, { "flows/a/head.json": "{}" });
  await assert.rejects(prepare(directory, { steps: stepsNoting(calls, 3) }), {
    message:
      "DATA_DIR could not be migrated from version 2 to 3 (ENOSPC): the next start goes on with this step; free space and check the directory's rights first",
  });
  assert.equal(versionOf(directory), 2);
  await prepare(directory, { steps: stepsNoting(calls) });
  assert.deepEqual(calls, ["2 on 1", "3 on 2", "3 on 2"]);
  assert.equal(versionOf(directory), 3);
});

test("a directory that cannot be written is used as it is, unless it has to be changed", async (t) => {
  const directory = directoryOf(t, { "flows/a/head.json": "{}" });
  assert.deepEqual(await prepare(directory, { mayWrite: false }), { made: [] });
  assert.deepEqual(readdirSync(directory), ["flows"]);
  await assert.rejects(prepare(directory, { mayWrite: false, steps: stepsNoting([]) }), /make it writable/);
});

test("a version that cannot be written leaves everything else unwritten", async (t) => {
  for (const failing of ["create", "write", "sync", "rename", "syncDirectory"]) {
    const directory = directoryOf(t);
    let made = 0;
    const fs = countedFs(nodeFs, (operation) => {
      // The directories above it are synced before.
      if (operation === failing && (failing !== "syncDirectory" || made > 0)) throw systemError("ENOSPC");
      if (operation === "rename") made += 1;
    });
    const { readOnly } = await prepare(directory, { fs });
    assert.match(readOnly ?? "", /^the version of DATA_DIR could not be written \(ENOSPC\)/, failing);
    // A directory that cannot be synced at all cannot lose the file either.
    if (failing !== "syncDirectory") assert.equal(versionOf(directory), undefined, failing);
  }
});

test("the version is durable before it counts: temp file, sync, rename, sync of the directory", async (t) => {
  const operations: string[] = [];
  const directory = directoryOf(t);
  await prepare(directory, { fs: countedFs(nodeFs, (operation) => operations.push(operation)) });
  assert.deepEqual(operations.slice(-5), ["create", "write", "sync", "rename", "syncDirectory"]);
});

test("a damaged version is refused with what to write", async (t) => {
  for (const text of ["", "1", '{"version": "1"}', '{"version": 0, "runtime": "0.1.0"}'])
    await assert.rejects(prepare(directoryOf(t, { "version.json": text })), {
      message:
        'DATA_DIR cannot be used: \'version.json\' in it is damaged; write {"version": 1, "runtime": "0.1.0"} into it, with the numbers of the runtime that used it last',
    });
});

test("the runtime: a directory without a version is taken over, a newer one refused and left alone", async (t) => {
  const path = directoryOf(t);
  const env = { SERVICE_DEPLOY_TOKEN: token, ROUTES_DIR: join(path, "routes"), DATA_DIR: join(path, "data") };
  const first = await startProcess(t, env);
  assert.equal(versionOf(env.DATA_DIR), 1);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml" };
  const put = { method: "PUT", headers, body: answering("kept", "yes") };
  assert.equal((await fetch(`${first.url}/_api/flows/kept`, put)).status, 201);
  first.child.kill("SIGTERM");
  assert.equal(await first.exited, 0);

  // As a runtime before the first version has left it.
  rmSync(join(env.DATA_DIR, "version.json"));
  const second = await startProcess(t, env);
  assert.ok(second.lines.some((line) => line.includes("DATA_DIR is of version 1 now")));
  const answer = async () => (await fetch(`${second.url}/api/kept`, { method: "POST" })).text();
  await eventually(async () => (await answer()) === "yes", "the flow serves");
  second.child.kill("SIGTERM");
  assert.equal(await second.exited, 0);

  writeFileSync(join(env.DATA_DIR, "version.json"), '{"version": 2, "runtime": "0.9.0"}');
  rmSync(join(env.DATA_DIR, "flows"), { recursive: true });
  const before = readdirSync(env.DATA_DIR).sort();
  await assert.rejects(
    startProcess(t, env),
    /bulkhead: DATA_DIR is of version 2, which Bulkhead 0\.9\.0 has written; this is Bulkhead \S+, which can use versions up to 1: start Bulkhead 0\.9\.0 or a later one, or give this one another DATA_DIR/,
  );
  assert.deepEqual(readdirSync(env.DATA_DIR).sort(), before);
});
