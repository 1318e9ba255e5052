/** The files of the audit log, each named by the number of its first line, and the file system calls for them. */
import { constants, promises as fs } from "node:fs";
import { basename, join } from "node:path";
import { chainStart, type Link, readLine } from "./audit-line.ts";

const nameGrammar = /^audit-(\d{12})\.jsonl$/;

export interface NamedAuditFile {
  readonly name: string;
  /** The number (`seq`) of the file's first line. */
  readonly first: number;
}

export function auditFileName(first: number): string {
  return `audit-${String(first).padStart(12, "0")}.jsonl`;
}

/** Finds the audit log's files among the names in its directory, the oldest lines first. */
export function auditFiles(names: readonly string[]): readonly NamedAuditFile[] {
  return names
    .map((name) => ({ name, first: Number(nameGrammar.exec(name)?.[1] ?? Number.NaN) }))
    .filter(({ first }) => !Number.isNaN(first))
    .sort((a, b) => a.first - b.first);
}

/** Where the next line is written: after the last whole line. */
export interface AuditEnd {
  readonly last: Link;
  /** The file that takes the next line; undefined: a new file begins. */
  readonly file: { readonly name: string; readonly bytes: number } | undefined;
  /** The bytes of an unfinished line, which a crash has left. */
  readonly torn: Uint8Array;
  /** Present: why the chain cannot continue and begins anew. */
  readonly broken?: string;
}

export async function auditEnd(directory: string, fs: AuditFs): Promise<AuditEnd> {
  const files = auditFiles(await fs.names(directory));
  let torn: Uint8Array = new Uint8Array();
  for (const [index, { name, first }] of [...files].reverse().entries()) {
    const content = await fs.read(join(directory, name));
    const bytes = content.lastIndexOf(0x0a) + 1;
    if (index === 0) torn = content.subarray(bytes);
    const file = index === 0 ? { name, bytes } : { name: (files.at(-1) as NamedAuditFile).name, bytes: 0 };
    if (bytes === 0) continue;
    const text = Buffer.from(content.subarray(0, bytes - 1)).toString();
    const line = readLine(text.slice(text.lastIndexOf("\n") + 1));
    if (line.problem === undefined) return { last: line.link, file, torn };
    const seq = first + text.split("\n").length - 1;
    const broken = `the last line of ${name}: ${line.problem}`;
    return { last: { ...chainStart, seq }, file: undefined, torn, broken };
  }
  const [only] = files;
  return {
    last: { ...chainStart, seq: only === undefined ? 0 : only.first - 1 },
    file: only === undefined ? undefined : { name: (files.at(-1) as NamedAuditFile).name, bytes: 0 },
    torn,
  };
}

/** A file that is open for appending. */
export interface AuditFile {
  /** Appends all of the content at the file's end, or rejects. */
  append(content: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The file system as the audit log uses it, so that a test can make each call fail. */
export interface AuditFs {
  makeDirectory(path: string): Promise<void>;
  names(directory: string): Promise<readonly string[]>;
  /** Rejects for anything but a regular file: reading a FIFO would never end. */
  read(path: string): Promise<Uint8Array>;
  /** Opens a file to read parts of it. Rejects as `read` does. */
  openToRead(path: string): Promise<fs.FileHandle>;
  /** Opens a file for appending, and makes it if it does not exist. Rejects as `read` does. */
  open(path: string): Promise<AuditFile>;
  remove(path: string): Promise<void>;
  syncDirectory(path: string): Promise<void>;
}

export const nodeAuditFs: AuditFs = {
  makeDirectory: async (path) => {
    await fs.mkdir(path, { recursive: true, mode: 0o700 });
  },
  names: (directory) => fs.readdir(directory),
  openToRead: (path) => openRegular(path, constants.O_RDONLY),
  async read(path) {
    const file = await openRegular(path, constants.O_RDONLY);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  },
  remove: (path) => fs.unlink(path),
  async open(path) {
    const file = await openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    return {
      append: (content) => file.appendFile(content),
      truncate: (bytes) => file.truncate(bytes),
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
  async syncDirectory(path) {
    const directory = await fs.open(path, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
};

async function openRegular(path: string, flags: number): Promise<fs.FileHandle> {
  const file = await fs
    .open(path, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, 0o600)
    .catch((error: unknown) => {
      throw ["ENXIO", "ELOOP", "EISDIR"].includes(codeOf(error)) ? irregularFileError(path) : error;
    });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw irregularFileError(path);
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function irregularFileError(path: string): Error {
  return new Error(`${basename(path)} is not a regular file: move it away`);
}
