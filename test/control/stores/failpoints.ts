/** Names of the flow store's operations on the disk: the object and the operation. */
import { basename, dirname } from "node:path";

export const failpoints = [
  "routes.make",
  "routes.sync",
  "routes.sync-above",
  "flows.make",
  "flows.sync",
  "flows.sync-above",
  "flow.make",
  "flow.sync",
  "revision.create",
  "revision.write",
  "revision.sync",
  "revision.rename",
  "revision.sync-renamed",
  "revision.unlink",
  "revision.sync-unlinked",
  "revision.discard",
  "yaml.create",
  "yaml.write",
  "yaml.sync",
  "yaml.rename",
  "yaml.sync-renamed",
  "yaml.unlink",
  "yaml.sync-unlinked",
  "yaml.discard",
  "head.create",
  "head.write",
  "head.sync",
  "head.rename",
  "head.sync-renamed",
  "head.unlink",
  "head.sync-unlinked",
  "head.discard",
] as const;

export const syncs = failpoints.filter((name) => /[.]sync/.test(name));

export type Failpoint = (typeof failpoints)[number];

type Change = "create" | "write" | "sync" | "rename" | "unlink" | "makeDirectory" | "syncDirectory";

const temp = /^\.(.+)\.[0-9a-f]{12}\.tmp$/;

/** Follows one store's operations, so that the sync of a directory is named after the change that it makes durable. */
export class FailpointNames {
  /** By directory: the name of the sync that makes its last change durable. */
  readonly #changed = new Map<string, string>();
  #made = "routes";

  of(change: Change, path: string): Failpoint {
    return known(this.#name(change, path));
  }

  #name(change: Change, path: string): string {
    if (change === "makeDirectory") {
      const kind = directoryKind(path);
      if (kind !== "flow") this.#made = kind;
      return `${kind}.make`;
    }
    if (change === "syncDirectory") return this.#syncName(path);
    const name = basename(path);
    if (change === "unlink" && temp.test(name)) return `${fileKind(name)}.discard`;
    if (change === "rename") this.#changed.set(dirname(path), `${fileKind(name)}.sync-renamed`);
    if (change === "unlink") this.#changed.set(dirname(path), `${fileKind(name)}.sync-unlinked`);
    return `${fileKind(name)}.${change}`;
  }

  #syncName(path: string): string {
    const changed = this.#changed.get(path);
    this.#changed.delete(path);
    if (changed !== undefined) return changed;
    if (basename(path) === "flows") return "flows.sync";
    if (basename(dirname(path)) === "flows") return "flow.sync";
    return basename(path) === "routes" ? "routes.sync" : `${this.#made}.sync-above`;
  }
}

function fileKind(name: string): string {
  const plain = temp.exec(name)?.[1] ?? name;
  if (plain.endsWith(".yaml")) return "yaml";
  return plain === "head.json" ? "head" : "revision";
}

function directoryKind(path: string): string {
  if (basename(path) === "routes") return "routes";
  return basename(path) === "flows" ? "flows" : "flow";
}

function known(name: string): Failpoint {
  const found = failpoints.find((one) => one === name);
  if (found === undefined) throw new Error(`the store does something that has no failpoint: ${name}`);
  return found;
}
