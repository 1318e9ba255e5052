/**
 * Bundles the threads of the suite of connectors, as `npm ci` does with those of the product: the suite ends hundreds of
 * threads, and one that boots from sources takes most of a second of processor time.
 */
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Plugin } from "esbuild";
import { bundleEntry } from "./bundle.ts";
import { copyLibraries } from "./library-files.ts";

/** Leaves the suite's own import of V8 as it is, which loads before the thread gives up the right to it. */
const countsPromises: Plugin = {
  name: "counts-promises",
  setup({ onResolve }) {
    onResolve({ filter: /^node:v8$/ }, ({ importer, path }) =>
      importer.endsWith("count-promises.ts") ? { path, external: true } : undefined,
    );
  },
};

/** Resolves with the folder of the bundles. */
export async function bundleSuite(root: string): Promise<string> {
  const folder = resolve(root, "node_modules/.cache/suite");
  await Promise.all(
    ["flow-worker", "check-worker"].map((name) =>
      bundleEntry({ file: `test/servers/suite/${name}.ts`, core: `src/workers/${name}.ts` }, folder, [countsPromises]),
    ),
  );
  await copyLibraries(folder);
  await writeFile(resolve(folder, "package.json"), '{ "type": "module" }\n');
  return folder;
}
