/** Which code to run: the bundle, unless a source file is newer than it or there is none. */

// An import would read all exports of node:fs, and load streams that a start does not need.
const { readdirSync, readFileSync, statSync } = process.getBuiltinModule("node:fs");
const { enableCompileCache } = process.getBuiltinModule("node:module");
const { join } = process.getBuiltinModule("node:path");
const { fileURLToPath } = process.getBuiltinModule("node:url");
const { setFlagsFromString } = process.getBuiltinModule("node:v8");

const root = fileURLToPath(new URL("../", import.meta.url));
const dist = join(root, "dist");

/**
 * A URL to import, whose code V8 need not compile: scripts/code-cache.ts has kept it. Node 26 reads a cache that nobody may write; earlier
 * ones do without. The flags of V8 are part of the cache's key: threads/local/worker-pool.ts sets the first for threads, too, and takes the
 * second back. With it the main thread collects the garbage of its start two or three times in place of six.
 */
export function prepared() {
  const url = freshest();
  if (url.endsWith(".js") && Number(process.versions.node.split(".")[0]) >= 26) {
    setFlagsFromString("--expose-gc");
    setFlagsFromString("--semi-space-growth-factor=8");
    const readOnly = process.env.BULKHEAD_WRITE_CODE_CACHE === undefined;
    enableCompileCache({ directory: fileURLToPath(new URL("code-cache", url)), readOnly });
  }
  return url;
}

/** A URL to import. */
export function freshest() {
  // scripts/bundle.ts writes it last, and each time.
  const built = modified(join(dist, "current"));
  const isFresh = built !== undefined && built >= newestIn(join(root, "src"));
  const file = isFresh
    ? `dist/${readFileSync(join(dist, "current"), "utf8").trim()}/bulkhead.js`
    : "src/cli/bulkhead.ts";
  return new URL(`../${file}`, import.meta.url).href;
}

/**
 * Epoch ms of the last change of a file below a directory; 0 when it is not there, as in the published package. A start waits for it:
 * bare names, of which those of directories have no dot, take half of the time of entries with their types.
 */
function newestIn(directory) {
  let newest = 0;
  if (modified(directory) === undefined) return newest;
  for (const name of readdirSync(directory, { recursive: true })) {
    if (name.includes(".")) newest = Math.max(newest, modified(`${directory}/${name}`) ?? 0);
  }
  return newest;
}

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
