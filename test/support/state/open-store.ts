/** A state store on files of its own, which are removed after the test. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createStateStore, type StateStore } from "../../../src/control/state/state-store.ts";
import { defaultLimits, type Limits } from "../../../src/shared/limits.ts";
import { bundle } from "../bundles.ts";

export interface OpenStore {
  readonly store: StateStore;
  readonly directory: string;
  /** `LEVEL message` of each line that it has logged. */
  readonly log: readonly string[];
}

export async function stateDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-state-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** `directory`: of an earlier store; absent: an empty one. */
export async function openStore(
  t: TestContext,
  {
    directory,
    dataKey = Buffer.alloc(32, 1),
    ...limits
  }: Partial<Limits> & { readonly directory?: string; readonly dataKey?: Uint8Array } = {},
): Promise<OpenStore> {
  const own = directory ?? (await stateDirectory(t));
  const log: string[] = [];
  const store = createStateStore({
    directory: own,
    limits: { ...defaultLimits, ...limits },
    entry: bundle("state-thread"),
    dataKeys: [dataKey],
    log: (level, message) => log.push(`${level} ${message}`),
  });
  t.after(() => store.close());
  return { store, directory: own, log };
}
