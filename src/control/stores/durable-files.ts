/**
 * Changes of files and directories that survive a loss of power. A file is replaced whole or not at all: temp file,
 * fsync, rename, fsync of the directory.
 */
import { basename, dirname, join, resolve } from "node:path";
import { randomHex } from "../../shared/ids.ts";
import type { FsPort } from "./fs-port.ts";
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

export interface Replaced {
  readonly modifiedMs: number;
  readonly undo: Undo;
}

/** Rejects with the previous content in place, or with TornWriteError. */
export async function replaceFile(fs: FsPort, path: string, content: Uint8Array, mode: number): Promise<Replaced> {
  const previous = await previousOf(fs, path);
  const undo = () => runUndo(() => putBack(fs, path, previous, mode));
  const { temp, modifiedMs } = await writeTemp(fs, path, content, mode);
  try {
    await moveAside(fs, path, previous);
    await fs.rename(temp, path);
  } catch (error) {
    await discard(fs, temp);
    if (previous?.aside !== undefined) await fs.rename(previous.aside, path).catch(() => undefined);
    throw error;
  }
  await syncOrUndo(fs, dirname(path), undo);
  return { modifiedMs, undo };
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

async function writeTemp(
  fs: FsPort,
  path: string,
  content: Uint8Array,
  mode: number,
): Promise<{ temp: string; modifiedMs: number }> {
  const temp = join(dirname(path), `.${basename(path)}.${randomHex(12)}.tmp`);
  try {
    const file = await fs.create(temp, mode);
    try {
      await file.write(content);
      await file.sync();
    } finally {
      await file.close();
    }
    const facts = await fs.facts(temp);
    return { temp, modifiedMs: facts?.modifiedMs ?? Date.now() };
  } catch (error) {
    await discard(fs, temp);
    throw error;
  }
}

/** The entry that has the name now; `aside`: the name that it is moved to, since it must not be replaced. */
type Previous =
  | { readonly content: Uint8Array; readonly aside?: undefined }
  | { readonly content?: undefined; readonly aside: string };

async function previousOf(fs: FsPort, path: string): Promise<Previous | undefined> {
  const facts = await fs.facts(path);
  if (facts === undefined) return undefined;
  if (facts.kind !== "file" || facts.bytes > mostFileBytes) return { aside: asideOf(path) };
  return { content: await fs.read(path, mostFileBytes) };
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
