/** Reads and writes UTF-8 text files. */
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { readRegularFile } from "../../shared/regular-file.ts";

/** A file, an argument or an answer with which no test can run; the message names it. */
export class BadFile extends Error {}

/** Throws BadFile, also when the path is not a regular file or is larger than a document. */
export function readText(path: string): string {
  const bytes = readable(path, () => readRegularFile(path));
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
