/**
 * Makes dist/designer/ for the package, which has neither sources nor libraries: the designer's server in one file, and its page. Only `npm pack`
 * waits for it; in a checkout the designer runs from its sources.
 */
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { makePage } from "../../designer/server/page-build.ts";
import { common, inputsOf, nodeModules, oneLocale } from "../bundle.ts";

const root = resolve(import.meta.dirname, "../..");

export interface Packed {
  /** The files of libraries whose code is in the server or the page: paths from the checkout on, each once, in alphabetical order. */
  readonly inputs: readonly string[];
}

/** Makes `<outdir>/installed.js` and `<outdir>/page/`; what was in the folder before is deleted. */
export async function packDesigner(outdir: string): Promise<Packed> {
  await rm(outdir, { recursive: true, force: true });
  const built = await build({
    ...common,
    entryPoints: ["designer/server/installed.ts"],
    outdir,
    format: "esm",
    // What CommonJS packages require of Node.
    banner: { js: 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);' },
    plugins: [oneLocale, nodeModules],
  });
  const page = await makePage(join(root, "designer"), join(outdir, "page"));
  // Ids of Vite may have a query behind the path, and begin with a zero where there is no file.
  const files = [...inputsOf(built).map((path) => resolve(root, path)), ...page.map((id) => id.replace(/\?.*$/, ""))];
  const inputs = files.map((file) => relative(root, file)).filter((path) => /(?:^|[\\/])node_modules[\\/]/.test(path));
  return { inputs: [...new Set(inputs)].sort() };
}
