/** Reads a document that a person names on a command line. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

const mostBytes = 64 * 1024 * 1024;

/** Throws an Error with the reason, without the path: a device never ends, a FIFO waits for its writer, and a large file is no document. */
export function readRegularFile(path: string): Uint8Array {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(stats.isDirectory() ? "it is a directory" : "it is not a regular file");
    if (stats.size > mostBytes) throw new Error(`it has ${stats.size} bytes, and a document has at most ${mostBytes}`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
