/** Reads and writes UTF-8 text files. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";

/** A file, an argument or an answer with which no test can run; the message names it. */
export class BadFile extends Error {}

/** Throws BadFile, also when the path is not a regular file. */
export function readText(path: string): string {
  const bytes = readable(path, () => readRegular(path));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadFile(`${path}: it is not UTF-8`);
  }
}

/** Names in a directory, and with `recursive` in those below it. Throws BadFile. */
export function namesIn(directory: string, { recursive = false } = {}): string[] {
  return readable(directory, () => readdirSync(directory, { recursive, encoding: "utf8" }));
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function readRegular(path: string): Uint8Array {
  // Opening a FIFO would wait for a writer.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new Error(stats.isDirectory() ? "it is a directory" : "it is not a regular file");
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new BadFile(`${path}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws BadFile. */
export function writeText(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new BadFile(`${path}: it cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
