/** Which code to run: the bundle, unless a source file is newer than it or there is none. */
import { readdirSync, statSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

const root = fileURLToPath(new URL("../", import.meta.url));

/**
 * A URL to import, whose code V8 need not compile: scripts/code-cache.ts has kept it. Node 26 reads a cache that nobody may write; earlier
 * ones do without. The flags of V8 are part of the cache's key, and threads/worker-pool.ts sets this one for the threads.
 */
export function prepared() {
  const url = freshest();
  if (url.endsWith(".js") && Number(process.versions.node.split(".")[0]) >= 26) {
    setFlagsFromString("--expose-gc");
    const readOnly = process.env.BULKHEAD_WRITE_CODE_CACHE === undefined;
    enableCompileCache({ directory: join(root, "dist/code-cache"), readOnly });
  }
  return url;
}

/** A URL to import. */
export function freshest() {
  const bundle = modified(join(root, "dist/main.js"));
  const newest = newestIn(join(root, "src"));
  const file = bundle !== undefined && bundle >= newest ? "dist/main.js" : "src/control/main.ts";
  return new URL(`../${file}`, import.meta.url).href;
}

/** Epoch ms of the last change below a directory; 0 when it is not there, as in the published package. */
function newestIn(directory) {
  let newest = 0;
  if (modified(directory) === undefined) return newest;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) newest = Math.max(newest, modified(join(entry.parentPath, entry.name)) ?? 0);
  }
  return newest;
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
