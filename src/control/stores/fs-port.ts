/** The file system as the stores use it: one call per thing that can fail, so that a test can fail each of them. */
import { constants, promises as fs } from "node:fs";

export interface FileFacts {
  readonly kind: "file" | "directory" | "symlink" | "other";
  readonly bytes: number;
  readonly modifiedMs: number;
  /** When content or attributes last changed, epoch ms. */
  readonly changedMs: number;
  /** Equal stamps: the same file with the same content (inode, size, both times in nanoseconds). */
  readonly stamp: string;
}

/** A file that has just been made and is open for writing. */
export interface NewFile {
  /** Writes all of the content, or rejects; the system may take it in several parts. */
  write(content: Uint8Array): Promise<void>;
  /** Content and size are on the disk when it fulfils. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The calls reject with Node's system errors, which have a `code`. */
export interface FsPort {
  /** Lists the names of a directory's entries, in no particular order. */
  names(directory: string): Promise<readonly string[]>;
  /** Returns what the file system knows of the entry; undefined: there is none. Symbolic links are not followed. */
  facts(path: string): Promise<FileFacts | undefined>;
  /** Resolves symbolic links. */
  realPath(path: string): Promise<string>;
  /**
   * Reads a regular file; never waits for a FIFO's writer, and never follows a link in the last segment of the path.
   */
  read(path: string, mostBytes: number): Promise<Uint8Array>;
  /** Makes a file and opens it for writing; rejects if the name exists. */
  create(path: string, mode: number): Promise<NewFile>;
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Makes the directory and those above it. Returns the first one that it had to make; undefined: none. */
  makeDirectory(path: string, mode: number): Promise<string | undefined>;
  /** The directory's entries are on the disk when it fulfils. */
  syncDirectory(path: string): Promise<void>;
  /** Rejects (EACCES, EROFS) when this user may not make or replace files in the directory. */
  mayWrite(directory: string): Promise<void>;
}

export const nodeFs: FsPort = {
  names: (directory) => fs.readdir(directory),
  realPath: (path) => fs.realpath(path),
  rename: (from, to) => fs.rename(from, to),
  unlink: (path) => fs.unlink(path),
  makeDirectory: (path, mode) => fs.mkdir(path, { recursive: true, mode }),
  mayWrite: (directory) => fs.access(directory, constants.W_OK | constants.X_OK),

  async facts(path) {
    const stats = await fs.lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (stats === undefined) return undefined;
    const kind = stats.isFile()
      ? "file"
      : stats.isDirectory()
        ? "directory"
        : stats.isSymbolicLink()
          ? "symlink"
          : "other";
    return {
      kind,
      bytes: Number(stats.size),
      modifiedMs: Number(stats.mtimeMs),
      changedMs: Number(stats.ctimeMs),
      stamp: `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
    };
  },

  async read(path, mostBytes) {
    const file = await fs.open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) throw systemError("EINVAL", "not a regular file");
      if (stats.size > mostBytes) throw systemError("EFBIG", "file too large");
      return await readWhole(file, stats.size);
    } finally {
      letGo(file);
    }
  },

  async create(path, mode) {
    const file = await fs.open(path, "wx", mode);
    return {
      write: (content) => file.writeFile(content),
      sync: () => file.sync(),
      close: () => file.close(),
    };
  },

  async syncDirectory(path) {
    const directory = await fs.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await directory.sync();
    } finally {
      letGo(directory);
    }
  },
};

/** Reads a file of this size; one that is cut off meanwhile gives what is left. */
async function readWhole(file: fs.FileHandle, size: number): Promise<Uint8Array> {
  const content = Buffer.allocUnsafeSlow(size);
  let length = 0;
  while (length < size) {
    const { bytesRead } = await file.read(content, length, size - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return content.subarray(0, length);
}

/** Closes what was only read or synced: each call of the file system that is awaited takes a tenth of a millisecond. */
function letGo(file: fs.FileHandle): void {
  void file.close().catch(() => undefined);
}

function systemError(code: string, message: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${message}`), { code });
}
