/** The file system as the audit log uses it, so that a test can make each call fail. */
import { constants, promises as fs } from "node:fs";
import { basename } from "node:path";

export interface AuditFile {
  /** Appends all of the content at the file's end, or rejects. */
  append(content: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditFs {
  makeDirectory(path: string): Promise<void>;
  names(directory: string): Promise<readonly string[]>;
  /** Rejects for anything but a regular file: reading a FIFO would never end. */
  read(path: string): Promise<Uint8Array>;
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
