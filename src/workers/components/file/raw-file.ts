/** Reads and writes files without following links, without waiting for pipes, and within a bound. */
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import type { FlowException } from "../../engine/exception.ts";
import { limitExceeded } from "../../engine/exception.ts";
import { codeOf } from "./failure.ts";
import type { HowToWrite } from "./file-system.ts";

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_DSYNC, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Throws LimitExceededException for more than `mostBytes`, the limit of a message's body; else errors of Node. */
export async function readRaw(path: string, mostBytes: number): Promise<Buffer> {
  const file = await openRaw(path, O_RDONLY);
  try {
    return await readWhole(file, mostBytes);
  } finally {
    await file.close();
  }
}

/** Throws errors of Node. */
export async function writeRaw(path: string, content: Uint8Array, { append, sync }: HowToWrite): Promise<void> {
  // Threads may not call fsync (Node's permission model). With O_DSYNC each write ends when it is on the disk.
  const how = (append === true ? O_APPEND : O_TRUNC) | (sync === true ? O_DSYNC : 0);
  const file = await openRaw(path, O_WRONLY | O_CREAT | how);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** Codes for a missing file, including names that no file can have. */
const nothingThere: ReadonlySet<string | undefined> = new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG"]);

/** Does not follow links; resolves undefined for a missing file. */
export async function statRaw(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (nothingThere.has(codeOf(error))) return undefined;
    throw error;
  }
}

async function openRaw(path: string, flags: number): Promise<FileHandle> {
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error("no file"), { code: "ENXIO" });
}

async function readWhole(file: FileHandle, mostBytes: number): Promise<Buffer> {
  const { size } = await file.stat();
  if (size > mostBytes) throw tooLarge(mostBytes);
  // One byte more than expected shows whether the file has grown.
  let buffer = Buffer.allocUnsafeSlow(size + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > mostBytes) throw tooLarge(mostBytes);
    if (length === buffer.length) buffer = Buffer.concat([buffer], Math.min(length * 2, mostBytes + 1));
  }
}

function tooLarge(mostBytes: number): FlowException {
  return limitExceeded("messageBodyBytes", `a message's body has at most ${mostBytes} bytes`);
}
