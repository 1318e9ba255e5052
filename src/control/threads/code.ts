/** Where this runtime's own code is: the `.ts` files as they are, or the bundles that `npm ci` made of them. */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundled = import.meta.url.endsWith(".js");
const writesCodeCache = process.env["BULKHEAD_WRITE_CODE_CACHE"] !== undefined;

/** The project's directory, with a slash at its end. */
export const codeRoot = new URL(bundled ? "../" : "../../../", import.meta.url);

/** The modules that threads and host processes run, by URL: control never imports them. `embedded` is the process of embedded databases, `state` the thread of the state store. */
export const entries = {
  flow: new URL(bundled ? "dist/flow-worker.js" : "src/workers/flow-worker.ts", codeRoot),
  check: new URL(bundled ? "dist/check-worker.js" : "src/workers/check-worker.ts", codeRoot),
  host: new URL(bundled ? "dist/host-process.js" : "src/control/host-process.ts", codeRoot),
  embedded: new URL(bundled ? "dist/embedded-process.js" : "src/control/embedded-process.ts", codeRoot),
  state: new URL(bundled ? "dist/state-thread.js" : "src/control/state/state-thread.ts", codeRoot),
};

/** The bundles as V8 has compiled them (scripts/code-cache.ts): with them each start, and each thread, boots in two thirds of the time. */
const codeCache = fileURLToPath(new URL("dist/code-cache", codeRoot));

/**
 * Returns the environment and the rights with which a thread or process that runs this module reads the code cache. Node 26 can read a cache
 * that it may not write; earlier versions get no cache. `BULKHEAD_WRITE_CODE_CACHE` is set by the script that makes the cache.
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
 * Returns a text that differs when the code of a thread differs: for a bundle its hash, since it names its chunks by their hashes; for sources
 * a hash of their sizes and times of change.
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
