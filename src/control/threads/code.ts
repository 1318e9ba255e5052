/**
 * Where this runtime's own code is: the `.ts` files as they are, or the bundles that `npm ci` made of them. A folder of bundles is named by its
 * content, so that what is built later lies beside it: a running runtime keeps the files with which it began.
 */
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundled = import.meta.url.endsWith(".js");
const writesCodeCache = process.env["BULKHEAD_WRITE_CODE_CACHE"] !== undefined;

/** The project's directory, with a slash at its end. */
export const codeRoot = new URL(bundled ? "../../" : "../../../", import.meta.url);

/** The modules that threads and host processes run, by URL: control never imports them. `embedded` is the process of embedded databases, `state` the thread of the state store. */
export const entries = {
  flow: new URL(bundled ? "./flow-worker.js" : "../../workers/flow-worker.ts", import.meta.url),
  check: new URL(bundled ? "./check-worker.js" : "../../workers/check-worker.ts", import.meta.url),
  host: new URL(bundled ? "./host-process.js" : "../host-process.ts", import.meta.url),
  embedded: new URL(bundled ? "./embedded-process.js" : "../embedded-process.ts", import.meta.url),
  state: new URL(bundled ? "./state-thread.js" : "../state/state-thread.ts", import.meta.url),
};

const bundles = new URL("dist/", codeRoot).href;

/** Tells whether a module is one of the bundles of this project. */
export function isBundle(module: URL): boolean {
  return module.href.startsWith(bundles);
}

/** Says why this runtime can load no more of its code, and what to do; undefined: it can. */
export function missingCode(): string | undefined {
  if (existsSync(entries.check)) return undefined;
  return `the runtime's files are gone from ${fileURLToPath(new URL(".", import.meta.url))}, since another version was installed while it runs: restart the runtime`;
}

/**
 * Returns the environment and the rights with which a thread or process that runs this module reads the code cache beside it: the bundles as V8
 * has compiled them (scripts/code-cache.ts). With them each start, and each thread, boots in two thirds of the time. Node 26 can read a cache
 * that it may not write; earlier versions get no cache. `BULKHEAD_WRITE_CODE_CACHE` is set by the script that makes the cache.
 */
export function codeCacheOf(entry: URL): {
  readonly env: Record<string, string>;
  readonly execArgv: readonly string[];
} {
  if (!isBundle(entry)) return { env: {}, execArgv: [] };
  const codeCache = fileURLToPath(new URL("code-cache", entry));
  if (!writesCodeCache && !existsSync(codeCache)) return { env: {}, execArgv: [] };
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
