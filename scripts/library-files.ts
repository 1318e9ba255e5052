/** Copies the libraries that src/workers/engine/library-files.ts finds, and the WebAssembly that QuickJS looks for beside its code, so that threads need no file but those of `dist/`. */
import { cp, mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Each with the files that it needs; the first one is where it begins. */
const libraries: Readonly<Record<string, readonly string[]>> = {
  "@cfworker/json-schema": [
    "index.js",
    ..."deep-compare-strict dereference format pointer types ucs2-length validate validator"
      .split(" ")
      .map((name) => `${name}.js`),
  ],
  jsonata: ["jsonata.js"],
  re2js: ["index.cjs"],
};

/** Returns the paths that were copied. Writes `<outdir>/libraries/<name>/`. Rejects when a library has other files now. */
export async function copyLibraries(outdir: string): Promise<string[]> {
  const copied: string[] = [];
  for (const [name, [main = "", ...more]] of Object.entries(libraries)) {
    const from = require.resolve(name);
    if (basename(from) !== main) throw new Error(`${name} begins with ${from} now, not with ${main}`);
    const folder = join(outdir, "libraries", name);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "package.json"), `${JSON.stringify({ type: "commonjs", main })}\n`);
    for (const file of [main, ...more]) {
      const path = join(dirname(from), file);
      await cp(path, join(folder, file));
      copied.push(path);
    }
  }
  const wasm = require.resolve("@jitl/quickjs-wasmfile-release-sync/wasm");
  await cp(wasm, join(outdir, basename(wasm)));
  return [...copied, wasm];
}
