/** What operations answer when the disk does not do what they ask of it. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { lockDirectories, releaseAll } from "../../../src/control/stores/directory-lock.ts";
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";
import { startTestApp } from "../../support/start-app.ts";
import { countedFs } from "../stores/counted-fs.ts";
import type { Causes } from "./declared.ts";
import { stateOperations } from "./own-errors.ts";
import { furnish, send } from "./requests.ts";

export async function diskErrors(t: TestContext, causes: Causes): Promise<void> {
  const disk = { code: "", reads: false };
  const fail = (fails: boolean): void => {
    if (fails) throw Object.assign(new Error(`${disk.code}: made to fail`), { code: disk.code });
  };
  const counted = countedFs(nodeFs, () => fail(disk.code !== ""));
  const fs: FsPort = {
    ...counted,
    async read(path, mostBytes) {
      fail(disk.reads);
      return counted.read(path, mostBytes);
    },
    async names(directory) {
      fail(disk.reads);
      return counted.names(directory);
    },
  };
  const app = await startTestApp(t, { fs });
  const requests = await furnish(app);
  for (const [code, failure] of [
    ["store_failed", "EIO"],
    ["disk_full", "ENOSPC"],
  ] as const) {
    for (const operation of causes.declaring(code)) {
      if (causedElsewhere.has(operation.name) || stateOperations.has(operation.name)) continue;
      disk.code = failure;
      disk.reads = operation.method === "GET";
      const answer = await send(app, operation, requests[operation.name] ?? {});
      disk.code = "";
      disk.reads = false;
      await causes.note(operation.name, code, answer);
    }
  }
  await app.close();

  // Policies are read once.
  disk.code = "EIO";
  disk.reads = true;
  const deaf = await startTestApp(t, { fs, directory: app.directory, early: true });
  for (const name of causedElsewhere) {
    const answer = await send(deaf, causes.operation(name), requests[name] ?? {});
    await causes.note(name, "store_failed", answer);
  }
  disk.code = "";
  disk.reads = false;
  assert.equal((await deaf.api("/health")).status, 200);
}

/** Somebody has removed the lock of a directory. */
export async function lockErrors(t: TestContext, causes: Causes): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-contract-"));
  const [dataDirectory, routesDirectory] = [join(directory, "data"), join(directory, "routes")];
  const locks = await lockDirectories({ dataDirectory, routesDirectory }, () => {}, 0);
  t.after(() => rm(directory, { recursive: true, force: true }));
  const app = await startTestApp(t, { directory, locks });
  const requests = await furnish(app);
  await rm(join(routesDirectory, ".bulkhead-lock"));
  for (const operation of causes.declaring("lock_lost"))
    await causes.note(operation.name, "lock_lost", await send(app, operation, requests[operation.name] ?? {}));
  await releaseAll(locks);
}

const causedElsewhere: ReadonlySet<string> = new Set(["getPolicy", "explainPolicy"]);
