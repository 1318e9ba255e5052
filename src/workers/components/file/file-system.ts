/** The files that an endpoint reads or writes, wherever they are: on this machine's disk, or on a server. */
import type { FileArea } from "./area.ts";

export interface Files {
  readonly area: FileArea;
  readonly system: FileSystem;
}

export interface FileStats {
  readonly size: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
}

/** A file or a directory in a directory. */
export interface FileEntry {
  readonly name: string;
  isDirectory(): boolean;
  /** false: it is a link, or something else that is never read. */
  isFile(): boolean;
  /** Absent: reading them takes a step of its own. */
  readonly stats?: Pick<FileStats, "size" | "mtimeMs">;
}

export interface HowToWrite {
  readonly append?: boolean;
  /** true: the content is on the disk when the write resolves. */
  readonly sync?: boolean;
}

/** Operations at paths of a FileArea. They reject with GenericFileOperationFailedException or LimitExceededException. */
export interface FileSystem {
  /** Paths of files that a run of some route is processing. */
  readonly inProgress: Set<string>;
  /** Runs work after all earlier work for the same path has ended. */
  readonly one: <T>(path: string, work: () => Promise<T>) => Promise<T>;
  /** Why the server could not be reached at the last operation, or was lost in it; undefined: it was reached. */
  readonly away?: unknown;
  read(path: string, mostBytes: number): Promise<Buffer>;
  write(path: string, content: Uint8Array, how?: HowToWrite): Promise<void>;
  /** As write, but a concurrent reader sees the old file, where that is possible. */
  replace(path: string, content: Uint8Array, how?: HowToWrite): Promise<void>;
  /** Replaces an existing file, and makes the directory of the new place. */
  move(from: string, to: string): Promise<void>;
  /** Resolves false for a missing file. */
  remove(path: string): Promise<boolean>;
  /** Does not follow links; resolves undefined for a missing file. */
  stat(path: string): Promise<FileStats | undefined>;
  setTime(path: string, time: Date): Promise<void>;
  /** Lists at most `most` entries; resolves undefined for a missing directory. */
  list(path: string, most: number): Promise<readonly FileEntry[] | undefined>;
  /** Makes a directory and those above it. */
  makeRoom(path: string): Promise<void>;
}

/** Returns a function that runs work after all earlier work for the same path has ended. */
export function oneAtATime(): FileSystem["one"] {
  const last = new Map<string, Promise<unknown>>();
  return async (path, work) => {
    const before = last.get(path);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(path, mine);
    try {
      return await mine;
    } finally {
      if (last.get(path) === mine) last.delete(path);
    }
  };
}

const part = /^\.[0-9a-f]{16}\.part$/;

/** Whether a name, without directories, is that of a file that is being written. */
export function isPart(name: string): boolean {
  return part.test(name);
}
