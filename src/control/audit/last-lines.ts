/** Finds and reads a file's last lines in blocks, from its end towards its beginning: a long file is never read as a whole. */
import type { FileHandle } from "node:fs/promises";

const newline = 0x0a;
const blockBytes = 64 * 1024;
/** No line of the log is nearly as long. */
export const mostLineBytes = 256 * 1024;

export interface BytesRead {
  bytes: number;
}

/** Returns the length of the file up to the end of its last whole line. Rejects when no line ends within the last `most` bytes. */
export async function wholeLines(file: FileHandle, most = Number.POSITIVE_INFINITY): Promise<number> {
  const { size } = await file.stat();
  for (let end = size; end > 0; ) {
    if (size - end > most) throw noLineEnds();
    const from = Math.max(0, end - blockBytes);
    const last = (await bytesBetween(file, from, end)).lastIndexOf(newline);
    if (last >= 0) return from + last + 1;
    end = from;
  }
  return 0;
}

/**
 * Returns where the first line begins whose number (`seq`) is not below `number`, or a place at most a block behind it.
 * `end`: where the last line ends. The lines stand in the order of their numbers.
 */
export async function placeOf(file: FileHandle, end: number, number: number): Promise<number> {
  let low = 0;
  let high = end;
  while (high - low > blockBytes) {
    const begin = await nextLine(file, low + Math.floor((high - low) / 2), high);
    if (begin === undefined) break;
    if (begin.number < number) low = begin.at;
    else high = begin.at;
  }
  return high;
}

/** Yields the lines before `end`, where a line ends, the last one first and without their line ends. Adds to `read`. */
export async function* lastLines(file: FileHandle, end: number, read: BytesRead): AsyncGenerator<string> {
  /** The end of a line that begins further before, with its line end. */
  let rest: Buffer = Buffer.alloc(0);
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - blockBytes);
    const block = Buffer.concat([await bytesBetween(file, from, to), rest]);
    read.bytes += to - from;
    let lineEnd = block.length - 1;
    for (let before = lineEndBefore(block, lineEnd); before >= 0; before = lineEndBefore(block, lineEnd)) {
      yield block.toString("utf8", before + 1, lineEnd);
      lineEnd = before;
    }
    rest = block.subarray(0, lineEnd + 1);
    if (rest.length > mostLineBytes) throw noLineEnds();
    to = from;
  }
  if (rest.length > 0) yield rest.toString("utf8", 0, rest.length - 1);
}

function noLineEnds(): Error {
  return new Error("it has no line ends");
}

/** -1: there is none. */
function lineEndBefore(block: Buffer, at: number): number {
  return at === 0 ? -1 : block.lastIndexOf(newline, at - 1);
}

/** The first line that begins behind `from` and before `to`; undefined: there is none, or it has no number. */
async function nextLine(
  file: FileHandle,
  from: number,
  to: number,
): Promise<{ readonly at: number; readonly number: number } | undefined> {
  const lineEnd = (await bytesBetween(file, from, Math.min(to, from + blockBytes))).indexOf(newline);
  const at = from + lineEnd + 1;
  if (lineEnd < 0 || at >= to) return undefined;
  const begin = (await bytesBetween(file, at, Math.min(to, at + 40))).toString();
  const number = /^\{"seq":(\d{1,15}),/.exec(begin)?.[1];
  return number === undefined ? undefined : { at, number: Number(number) };
}

/** Rejects when the file has become shorter meanwhile. */
async function bytesBetween(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  for (let at = 0; at < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, at, bytes.length - at, from + at);
    if (bytesRead === 0) throw new Error("it has become shorter while it was read");
    at += bytesRead;
  }
  return bytes;
}
