/** Compares what a store finds on a disk after a crash with what was promised. */
import { isDeepStrictEqual } from "node:util";
import { FileFlowStore } from "../../../src/control/stores/file-stores.ts";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import type { FlowStore, StoredFlow } from "../../../src/control/stores/stores.ts";
import type { Acknowledged, FlowState } from "./acknowledged.ts";
import type { CrashFs } from "./crash-fs.ts";

export const routesDirectory = "/srv/bulkhead/routes";
export const dataDirectory = "/var/bulkhead/data";

export function openOn(fs: FsPort): FileFlowStore {
  return new FileFlowStore({ routesDirectory, dataDirectory, flowYamlBytes: 1000, fs });
}

export function stateOf({ yaml, params, limits, state }: StoredFlow): FlowState {
  return { yaml, params, limits, state };
}

/**
 * Boots on `disk` twice and goes on working; rejects with an Error that names the first broken promise. `port`: what
 * the first boot sees of the disk. `deletesFinished`: no failure came in the way of a DELETE's last write.
 */
export async function checkRestart(
  disk: CrashFs,
  port: FsPort,
  promised: Acknowledged,
  deletesFinished: boolean,
): Promise<void> {
  const store = openOn(port);
  const flows = await store.load();
  await assertPromises(store, flows, promised);
  for (const { file, problem } of await store.list()) if (problem !== undefined) broken(`${file}: ${problem}`);
  if (!store.status().writable) broken("the store is read-only");
  for (const path of disk.files().keys()) if (path.endsWith(".tmp")) broken(`${path} stays behind`);
  const again = await openOn(disk).load();
  if (!isDeepStrictEqual(again, flows)) broken(`a second boot finds ${JSON.stringify(again)}`);
  await goOn(disk, promised, deletesFinished);
}

/** `flows`: as `store` has loaded them. */
export async function assertPromises(
  store: FlowStore,
  flows: readonly StoredFlow[],
  promised: Acknowledged,
): Promise<void> {
  for (const { id } of flows) if (!promised.ids.includes(id)) broken(`'${id}' came from nowhere`);
  for (const id of promised.ids) await checkFlow(store, id, flows, promised);
}

async function checkFlow(
  store: FlowStore,
  id: string,
  flows: readonly StoredFlow[],
  promised: Acknowledged,
): Promise<void> {
  const { allowed, records, purged } = promised.get(id);
  const found = flows.find((flow) => flow.id === id);
  const state = found === undefined ? null : stateOf(found);
  if (!allowed.some((one) => isDeepStrictEqual(one, state))) {
    broken(`'${id}' is ${JSON.stringify(state)}, which is none of ${JSON.stringify(allowed)}`);
  }
  if (found?.warning !== undefined) broken(`'${id}': ${found.warning}`);
  const remembered = (await store.revisions(id)).map(({ revision, yaml }) => ({ revision, yaml }));
  for (const record of records) {
    const there = remembered.some((one) => isDeepStrictEqual(one, record));
    if (!there) broken(`revision ${record.revision} of '${id}' is forgotten: ${JSON.stringify(remembered)}`);
  }
  const back = remembered.find(({ revision }) => revision <= purged);
  if (back !== undefined) broken(`revision ${back.revision} of '${id}' was purged and is back`);
}

/** Files that come by hand load, and numbers go on. */
async function goOn(disk: CrashFs, promised: Acknowledged, deletesFinished: boolean): Promise<void> {
  const yaml = "# by hand";
  const gone = promised.ids.filter((id) => !disk.files().has(`${routesDirectory}/${id}.yaml`));
  for (const id of gone) disk.edit(`${routesDirectory}/${id}.yaml`, yaml);
  const store = openOn(disk);
  const flows = await store.load();
  for (const id of gone) {
    const flow = flows.find((one) => one.id === id);
    if (flow?.yaml !== yaml) broken(`a file that came by hand does not load as '${id}'`);
    else if (deletesFinished && promised.get(id).deleted && Object.keys(flow.params).length > 0) {
      broken(`a file that came by hand has the params of the deleted flow '${id}'`);
    }
  }
  for (const id of promised.ids) {
    const { revision } = await store.keep(id, { yaml: "# next", params: {}, limits: {}, state: "started" });
    const { last } = promised.get(id);
    if (revision <= last) broken(`'${id}' has revision ${revision} after ${last}`);
  }
}

function broken(promise: string): never {
  throw new Error(promise);
}
