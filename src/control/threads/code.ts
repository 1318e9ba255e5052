/** Where this runtime's own code is: the `.ts` files as they are, or the bundles that `npm ci` made of them. */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundled = import.meta.url.endsWith(".js");
const writesCodeCache = process.env["BULKHEAD_WRITE_CODE_CACHE"] !== undefined;

/** The project's directory, with a slash at its end. */
export const codeRoot = new URL(bundled ? "../" : "../../../", import.meta.url);

/** The modules that threads and host processes run, by URL: control never imports them. */
export const entries = {
  flow: new URL(bundled ? "dist/flow-worker.js" : "src/workers/flow-worker.ts", codeRoot),
  check: new URL(bundled ? "dist/check-worker.js" : "src/workers/check-worker.ts", codeRoot),
  host: new URL(bundled ? "dist/host-process.js" : "src/control/host-process.ts", codeRoot),
};

/** The bundles as V8 has compiled them (scripts/code-cache.ts), which saves every thread and start a third of its boot. */
const codeCache = fileURLToPath(new URL("dist/code-cache", codeRoot));

/**
 * The environment and the rights by which a thread or process that runs this module reads the code cache. Node 26 reads a cache that it
 * may not write; earlier ones do without. `BULKHEAD_WRITE_CODE_CACHE` is for the script that makes it.
 */
export function codeCacheOf(entry: URL): {
  readonly env: Record<string, string>;
  readonly execArgv: readonly string[];
} {
  const isBundle = entry.href.startsWith(new URL("dist/", codeRoot).href);
  if (!isBundle || !(writesCodeCache || existsSync(codeCache))) return { env: {}, execArgv: [] };
  if (writesCodeCache) return { env: { NODE_COMPILE_CACHE: codeCache }, execArgv: [`--allow-fs-write=${codeCache}/*`] };
  return { env: { NODE_COMPILE_CACHE: codeCache, NODE_COMPILE_CACHE_READONLY: "1" }, execArgv: [] };
}

/**
 * Another one when the code of a thread is another: a bundle's hash, since it names its chunks by theirs; of sources how large they are
 * and when they were changed.
 */
export function versionOf(entry: URL): string {
  if (entry.pathname.endsWith(".js")) return hash("sha256", readFileSync(entry));
  const folders = ["shared", "workers"].map((name) => fileURLToPath(new URL(`src/${name}/`, codeRoot)));
  const files = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}${name}`));
  const facts = [fileURLToPath(entry), ...files].map((path) => {
    const { size, mtimeMs } = statSync(path);
    return [path, size, mtimeMs];
  });
  return hash("sha256", JSON.stringify(facts));
}
