/** Disks that a boot finds and has something to do on, each made anew in an empty directory. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FileFlowStore } from "../../../src/control/stores/file-stores.ts";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import type { Failpoint } from "../../control/stores/failpoints.ts";
import { hookedFs, systemError } from "../../control/stores/hooked-fs.ts";
import { flowYaml } from "./killed-changes.ts";

export interface FoundDisk {
  readonly name: string;
  prepare(directory: string): Promise<void>;
  /** The answer of the flow `orders` that every boot must end in; undefined: there is no flow. */
  readonly answer: string | undefined;
}

export const disks: readonly FoundDisk[] = [
  { name: "boot on nothing", prepare: async () => {}, answer: undefined },
  {
    name: "boot on a file written by hand",
    async prepare(directory) {
      await mkdir(join(directory, "routes"));
      await writeFile(join(directory, "routes", "orders.yaml"), flowYaml("orders", "by hand"));
    },
    answer: "by hand -",
  },
  {
    name: "boot on a PUT that was killed before its head",
    async prepare(directory) {
      await keepTwo(directory, "head.rename");
      await leaveTemps(directory);
    },
    answer: "new 2",
  },
  {
    name: "boot on a PUT that was killed before its YAML",
    async prepare(directory) {
      await keepTwo(directory, "yaml.rename");
      await leaveTemps(directory);
    },
    answer: "old 1",
  },
];

/** Two PUTs, the second of which is cut off. */
async function keepTwo(directory: string, dies: Failpoint): Promise<void> {
  let dead = false;
  let second = false;
  const before = (point: Failpoint): void => {
    dead ||= second && point === dies;
    if (dead) throw systemError("KILLED");
  };
  const store = storeOn(directory, hookedFs({ before }));
  await store.load();
  await store.keep("orders", { yaml: flowYaml("orders", "old"), params: { n: 1 }, limits: {}, state: "started" });
  second = true;
  const content = { yaml: flowYaml("orders", "new"), params: { n: 2 }, limits: {}, state: "started" } as const;
  await store.keep("orders", content).catch(() => undefined);
}

function storeOn(directory: string, fs: FsPort): FileFlowStore {
  const at = { routesDirectory: join(directory, "routes"), dataDirectory: join(directory, "data") };
  return new FileFlowStore({ ...at, flowYamlBytes: 100_000, fs });
}

async function leaveTemps(directory: string): Promise<void> {
  const flow = join(directory, "data", "flows", "orders");
  await writeFile(join(directory, "routes", ".orders.yaml.0123456789ab.tmp"), "half");
  await writeFile(join(flow, ".head.json.0123456789ab.tmp"), "half");
  await writeFile(join(flow, ".3.json.0123456789ab.tmp"), "half");
}
