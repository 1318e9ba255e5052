/**
 * Where the files of libraries are whose text a thread changes before it runs it, or which it loads at once when a flow first needs them:
 * as npm has put them, or beside the bundles, which have copies (scripts/library-files.ts).
 */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const folder = import.meta.url.endsWith(".js") ? "./libraries/" : "";

/** Returns the path of the file with which a library begins. Throws MODULE_NOT_FOUND. */
export function libraryFile(name: string): string {
  return require.resolve(folder + name);
}

/** Loads a library that is CommonJS, at once. Throws MODULE_NOT_FOUND. */
export function loadLibrary(name: string): unknown {
  return require(libraryFile(name));
}
