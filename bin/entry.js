/** Which code to run: the bundle, unless a source file is newer than it or there is none. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

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
