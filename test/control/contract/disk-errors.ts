/** What operations answer when the disk does not do what they ask of it. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { newFailedId } from "../../../src/control/runs/failed/owners.ts";
import { lockDirectories, releaseAll } from "../../../src/control/stores/directory-lock.ts";
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";
import { answering } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import { countedFs } from "../stores/counted-fs.ts";
import type { Causes, Operation } from "./declared.ts";
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
      if (causedElsewhere.has(operation.name) || stateOperations.has(operation.name) || ofState(operation)) continue;
      if (ofSecrets(operation)) continue;
      // The audit log has a file system of its own.
      if (operation.name === "listAudit") continue;
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

const causedElsewhere: ReadonlySet<string> = new Set(["listPolicies", "getPolicy", "explainPolicy"]);

/** What is kept in the state of flows. */
function ofState({ path }: Operation): boolean {
  return path.startsWith("/_api/failed");
}

/** They are the operator's files, and are only listed. */
function ofSecrets({ path }: Operation): boolean {
  return path.endsWith("secrets");
}

/** Whose folder of secrets leads out of the operator's directory. */
export async function secretErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t, { secrets: { "orders/KEY": "x" } });
  await symlink(app.routesDirectory, join(app.secretsDirectory, "away"));
  await symlink(app.routesDirectory, join(app.secretsDirectory, "_connections"));
  for (const operation of causes.declaring("store_failed").filter(ofSecrets))
    await causes.note(operation.name, "store_failed", await send(app, operation, { id: "away" }));
}

/** The state thread cannot do what it is asked. */
export async function failedStateErrors(t: TestContext, causes: Causes): Promise<void> {
  const stateEntry = new URL("../../support/state/broken-state-thread.ts", import.meta.url);
  const app = await startTestApp(t, { stateEntry });
  // A group without a file has nothing, which is known without asking.
  await mkdir(join(app.directory, "data", "state"), { recursive: true });
  await writeFile(join(app.directory, "data", "state", "_common.sqlite"), "");
  for (const [code, flowId] of [
    ["store_failed", "broken"],
    ["disk_full", "full"],
  ] as const) {
    await app.put(flowId, answering(`r-${flowId}`, "x"));
    const id = newFailedId(flowId);
    for (const operation of causes.declaring(code)) {
      if (!ofState(operation)) continue;
      const isMany = operation.method === "POST" && !operation.path.includes("{");
      const sound = isMany
        ? { body: { flowId } }
        : operation.path.includes("{")
          ? { id }
          : { query: `flowId=${flowId}` };
      await causes.note(operation.name, code, await send(app, operation, sound));
    }
  }
}
