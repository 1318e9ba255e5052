/**
 * The runtime as it is published, bundled with some modules replaced by a bench's: a way that the product does not go, measured as whole flows.
 * Without V8's code cache, so trees are compared with trees.
 */
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";
import { bundle } from "../../scripts/bundle.ts";

const root = resolve(import.meta.dirname, "../..");

export interface RuntimeTree {
  /** For `startRuntime`. */
  readonly directory: string;
  remove(): Promise<void>;
}

/** `replaced`: files of src, each with the module that src imports in its place. That module itself may import the original. */
export async function runtimeTree(replaced: Readonly<Record<string, URL>>): Promise<RuntimeTree> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-bench-tree-"));
  await mkdir(join(directory, "dist"));
  for (const name of ["bin", "package.json"]) await cp(join(root, name), join(directory, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(directory, "node_modules"));
  await bundle(join(directory, "dist"), [replacing(replaced)]);
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}

function replacing(replaced: Readonly<Record<string, URL>>): Plugin {
  const modules = new Map(Object.entries(replaced).map(([file, by]) => [join(root, "src", file), fileURLToPath(by)]));
  const own = join(root, "bench/");
  return {
    name: "replacing",
    setup({ onResolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, ({ path, importer }) => {
        const by = importer.startsWith(own) ? undefined : modules.get(resolve(dirname(importer), path));
        return by === undefined ? undefined : { path: by };
      });
    },
  };
}
