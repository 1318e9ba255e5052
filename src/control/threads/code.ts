/** Where this runtime's own code is: the `.ts` files as they are, or the bundles that `npm ci` made of them. */
import { hash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const bundled = import.meta.url.endsWith(".js");

/** The project's directory, with a slash at its end. */
export const codeRoot = new URL(bundled ? "../" : "../../../", import.meta.url);

/** The modules that threads run, by URL: control never imports them. */
export const threadEntries = {
  flow: new URL(bundled ? "dist/flow-worker.js" : "src/workers/flow-worker.ts", codeRoot),
  check: new URL(bundled ? "dist/check-worker.js" : "src/workers/check-worker.ts", codeRoot),
};

/** The module that host processes run. */
export const hostEntry = new URL(bundled ? "dist/host-process.js" : "src/control/host-process.ts", codeRoot);

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
