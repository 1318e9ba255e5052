/**
 * Changes of files and directories that survive a loss of power. A file is replaced whole or not at all: temp file,
 * fsync, rename, fsync of the directory.
 */
import { basename, dirname, join, resolve } from "node:path";
import { randomHex } from "../../shared/ids.ts";
import type { FileFacts, FsPort, NewFile } from "./fs-port.ts";
import { isRefused, TornWriteError } from "./store-error.ts";

const tempName = /^\..+\.[0-9a-f]{12}\.tmp$/;

/** Whether a write that was interrupted may have left a file of this name. */
export function isTempName(name: string): boolean {
  return tempName.test(name);
}

/**
 * The most bytes of a file that a store has written. Anything longer, or not a regular file, is set aside under another
 * name, since the operator may want it, and is never read.
 */
export const mostFileBytes = 512 * 1024 * 1024;

/** Reverts a change durably; rejects with TornWriteError if it cannot. */
export type Undo = () => Promise<void>;

/** A rename, or a removal. Paths are absolute. */
export type Move = { readonly from: string; readonly to: string } | { readonly unlink: string };

/** The new content of a file, which is on the disk under a temporary name. */
export interface Draft {
  readonly modifiedMs: number;
  /** The rename by which it gets the file's name; undefined: something that must not be replaced has the name. */
  readonly move: Move | undefined;
  /** Gives it the file's name. Rejects with the previous content in place, or with TornWriteError. */
  place(): Promise<Undo>;
  /** Deletes it if the disk allows it; has no effect once it has been placed. */
  discard(): Promise<void>;
}

/** Rejects with nothing changed. */
export async function draftFile(fs: FsPort, path: string, content: Uint8Array, mode: number): Promise<Draft> {
  const [found, written] = await Promise.allSettled([previousOf(fs, path), writeTemp(fs, path, content, mode)]);
  if (written.status === "rejected") throw written.reason;
  const { temp, modifiedMs } = written.value;
  if (found.status === "rejected") {
    await discard(fs, temp);
    throw found.reason;
  }
  const previous = found.value;
  const undo = () => runUndo(() => putBack(fs, path, previous, mode));
  return {
    modifiedMs,
    move: previous?.aside === undefined ? { from: temp, to: path } : undefined,
    async place() {
      try {
        await moveAside(fs, path, previous);
        await fs.rename(temp, path);
      } catch (error) {
        await discard(fs, temp);
        if (previous?.aside !== undefined) await fs.rename(previous.aside, path).catch(() => undefined);
        throw error;
      }
      await syncOrUndo(fs, dirname(path), undo);
      return undo;
    },
    discard: () => discard(fs, temp),
  };
}

/** Rejects with the previous content in place, or with TornWriteError. */
export async function replaceFile(fs: FsPort, path: string, content: Uint8Array, mode: number): Promise<void> {
  await (await draftFile(fs, path, content, mode)).place();
}

/**
 * Writes a file that nothing refers to before this fulfils. It gets its name before its content is on the disk, so that both
 * reach the disk in one wait; a loss of power before may leave a part of it. Rejects with the file deleted if the disk
 * allows it.
 */
export async function addFile(fs: FsPort, path: string, content: Uint8Array, mode: number): Promise<void> {
  const [found, written] = await Promise.allSettled([fs.facts(path), openTemp(fs, path, content, mode)]);
  if (written.status === "rejected") throw written.reason;
  const { temp, file } = written.value;
  let named = temp;
  let aside: string | undefined;
  try {
    if (found.status === "rejected") throw found.reason;
    if (found.value !== undefined && !isReplaceable(found.value)) {
      const free = asideOf(path);
      await fs.rename(path, free);
      aside = free;
    }
    await fs.rename(temp, path);
    named = path;
    await together([file.sync(), fs.syncDirectory(dirname(path))]);
    letGo(file);
  } catch (error) {
    await file.close().catch(() => undefined);
    await discard(fs, named);
    if (aside !== undefined) await fs.rename(aside, path).catch(() => undefined);
    throw error;
  }
}

/** Deletes a file that exists, durably. Rejects with the file in place, or with TornWriteError. */
export async function removeFile(fs: FsPort, path: string, mode: number): Promise<void> {
  const previous = await previousOf(fs, path);
  if (previous?.aside === undefined) await fs.unlink(path);
  else await moveAside(fs, path, previous);
  await syncOrUndo(fs, dirname(path), () => runUndo(() => putBack(fs, path, previous, mode)));
}

/** Deletes a file if it can: what stays behind is removed at the next boot. */
export async function discard(fs: FsPort, path: string): Promise<void> {
  await fs.unlink(path).catch(() => undefined);
}

interface OpenTemp {
  readonly temp: string;
  readonly file: NewFile;
}

async function openTemp(fs: FsPort, path: string, content: Uint8Array, mode: number): Promise<OpenTemp> {
  const temp = join(dirname(path), `.${basename(path)}.${randomHex(12)}.tmp`);
  try {
    const file = await fs.create(temp, mode);
    try {
      await file.write(content);
      return { temp, file };
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
  } catch (error) {
    await discard(fs, temp);
    throw error;
  }
}

async function writeTemp(
  fs: FsPort,
  path: string,
  content: Uint8Array,
  mode: number,
): Promise<{ temp: string; modifiedMs: number }> {
  const { temp, file } = await openTemp(fs, path, content, mode);
  try {
    const [facts] = await together([fs.facts(temp), file.sync()]);
    letGo(file);
    return { temp, modifiedMs: facts?.modifiedMs ?? Date.now() };
  } catch (error) {
    await file.close().catch(() => undefined);
    await discard(fs, temp);
    throw error;
  }
}

/** Closes a file that is synced: its closing can fail, but loses nothing, so nobody waits for it. */
function letGo(file: NewFile): void {
  void file.close().catch(() => undefined);
}

/** Waits for all of them, so that nothing is under way when it rejects, with the first error in their order. */
export async function together<T extends readonly unknown[]>(
  work: {
    readonly [K in keyof T]: Promise<T[K]>;
  },
): Promise<T> {
  const settled = await Promise.allSettled(work);
  for (const one of settled) if (one.status === "rejected") throw one.reason;
  return Promise.all(work) as unknown as Promise<T>;
}

/** The entry that has the name now; `aside`: the name that it is moved to, since it must not be replaced. */
type Previous =
  | { readonly content: Uint8Array; readonly aside?: undefined }
  | { readonly content?: undefined; readonly aside: string };

async function previousOf(fs: FsPort, path: string): Promise<Previous | undefined> {
  const facts = await fs.facts(path);
  if (facts === undefined) return undefined;
  if (!isReplaceable(facts)) return { aside: asideOf(path) };
  return { content: await fs.read(path, mostFileBytes) };
}

/** Whether an entry may be replaced: it is a file that a store may have written. */
function isReplaceable({ kind, bytes }: FileFacts): boolean {
  return kind === "file" && bytes <= mostFileBytes;
}

/** Returns the name to which an entry that is in the way at `path` is moved. */
export function asideOf(path: string): string {
  return `${path}.aside-${randomHex(12)}`;
}

async function moveAside(fs: FsPort, path: string, previous: Previous | undefined): Promise<void> {
  if (previous?.aside !== undefined) await fs.rename(path, previous.aside);
}

async function putBack(fs: FsPort, path: string, previous: Previous | undefined, mode: number): Promise<void> {
  if (previous === undefined) {
    await fs.unlink(path);
  } else if (previous.aside !== undefined) {
    await discard(fs, path);
    await fs.rename(previous.aside, path);
  } else {
    const { temp } = await writeTemp(fs, path, previous.content, mode);
    await fs.rename(temp, path);
  }
  await fs.syncDirectory(dirname(path));
}

async function syncOrUndo(fs: FsPort, directory: string, undo: Undo): Promise<void> {
  try {
    await fs.syncDirectory(directory);
  } catch (error) {
    await undo();
    throw error;
  }
}

async function runUndo(undo: Undo): Promise<void> {
  try {
    await undo();
  } catch (error) {
    throw new TornWriteError(error);
  }
}

/** A store's directory: made when needed, and durable before the store promises anything about its contents. */
export class OwnDirectory {
  readonly path: string;
  readonly #fs: FsPort;
  readonly #mode: number;
  #durable = false;

  constructor(fs: FsPort, path: string, mode: number) {
    this.#fs = fs;
    this.path = resolve(path);
    this.#mode = mode;
  }

  /** Makes the directory, and those above it, if they do not exist. */
  async make(): Promise<void> {
    const made = await this.#fs.makeDirectory(this.path, this.#mode);
    if (made !== undefined) this.#durable = false;
  }

  /**
   * Fulfils when the directory exists and a loss of power does not remove it. Once in the life of a process all
   * directories above it are synced: an earlier process may have made any of them and been killed before its sync.
   */
  async ensure(): Promise<void> {
    await this.make();
    if (this.#durable) return;
    for (let above = this.path; above !== dirname(above); ) {
      above = dirname(above);
      await this.#syncAbove(above);
    }
    this.#durable = true;
  }

  /** When this fulfils, the names in the directory survive a loss of power. */
  async sync(): Promise<void> {
    await this.#fs.syncDirectory(this.path);
  }

  /** Rejects when files in it may not be made or replaced. */
  async mayWrite(): Promise<void> {
    await this.make();
    await this.#fs.mayWrite(this.path);
  }

  /** A directory that this user may not read existed before the runtime. */
  async #syncAbove(path: string): Promise<void> {
    try {
      await this.#fs.syncDirectory(path);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
}
