/** Texts from the disk, which are UTF-8. */
import { readFileSync, writeFileSync } from "node:fs";

/** A file, an argument or an answer with which no test can be run; the message says where. */
export class BadFile extends Error {}

/** Throws BadFile. */
export function readText(path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new BadFile(`${path}: it cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadFile(`${path}: it is not UTF-8`);
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
