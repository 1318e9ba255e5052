/** Text files of the workspace: read whole, in UTF-8, and only when they are in it. */
import { createHash } from "node:crypto";
import { promises as fs } from "node:fs";
import { join, sep } from "node:path";
import { codeOf, Refused } from "../refused.ts";
import { readFile } from "./durable.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the path of a file, symbolic links resolved. Throws Refused for one that leads out of the directory, or nowhere. */
export async function resolveIn(directory: string, name: string): Promise<string> {
  const path = join(directory, name);
  try {
    if (!(await fs.lstat(path)).isSymbolicLink()) return path;
    const real = await fs.realpath(path);
    if (real.startsWith(`${await fs.realpath(directory)}${sep}`)) return real;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && !(await isLink(path))) return path;
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "ELOOP") throw error;
  }
  throw new Refused(422, `'${name}' is a symbolic link out of the workspace, or to nothing: put the file itself there`);
}

async function isLink(path: string): Promise<boolean> {
  return fs.lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  );
}

export interface TextFile {
  readonly text: string;
  /** SHA-256 of its bytes. */
  readonly hash: string;
  readonly modifiedMs: number;
}

/** Returns undefined when there is no such file. Throws Refused for one that is too long, or not in UTF-8. */
export async function readText(path: string, name: string, mostBytes: number): Promise<TextFile | undefined> {
  const bytes = await readFile(path, mostBytes);
  if (bytes === undefined) return undefined;
  const { mtimeMs: modifiedMs } = await fs.stat(path);
  try {
    return { text: utf8.decode(bytes), hash: sha256(bytes), modifiedMs };
  } catch {
    throw new Refused(422, `'${name}' is not UTF-8: convert it`);
  }
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Changes with every change of the file, whatever it is; "" when there is none. `changedMs`: when it was changed at last. */
export async function stampOf(path: string): Promise<{ readonly stamp: string; readonly changedMs: number }> {
  try {
    const { ino, size, mtimeNs, ctimeNs, ctimeMs } = await fs.stat(path, { bigint: true });
    return { stamp: `${ino}:${size}:${mtimeNs}:${ctimeNs}`, changedMs: Number(ctimeMs) };
  } catch {
    return { stamp: "", changedMs: 0 };
  }
}
