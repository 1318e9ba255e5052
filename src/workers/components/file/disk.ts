/** The files of one flow on this machine's disk, at paths of its FileArea. */

import { createHash } from "node:crypto";
import type { Dirent, Stats } from "node:fs";
import { mkdir, opendir, realpath, rename, unlink, utimes } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { Limits } from "../../../shared/limits.ts";
import { codeOf, fileFailure, refusal, shortPath } from "./failure.ts";
import { type FileSystem, type HowToWrite, oneAtATime } from "./file-system.ts";
import { FileQuota } from "./quota.ts";
import { readRaw, statRaw, writeRaw } from "./raw-file.ts";

/**
 * Checks that no link leads out of a flow's directory. Paths are inside it as text, and only a person can have put a
 * link there.
 */
export class NoLinks {
  readonly #root: string;

  /** `root` is a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Throws for a path whose directory is really elsewhere. A missing directory passes, since the operation fails later.
   */
  async above(path: string): Promise<void> {
    if (path !== this.#root) await this.#isHere(dirname(path));
  }

  /** Makes a directory and those above it. */
  async make(path: string): Promise<void> {
    if (await this.#isHere(path)) return;
    if (path !== this.#root) await this.make(dirname(path));
    try {
      await mkdir(path);
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || !(await this.#isHere(path))) throw error;
    }
  }

  /** Returns false for a missing directory. */
  async #isHere(directory: string): Promise<boolean> {
    let real: string;
    try {
      real = await realpath(directory);
    } catch (error) {
      if (codeOf(error) === "ENOENT") return false;
      throw error;
    }
    if (real === this.#root || real.startsWith(this.#root + sep)) return true;
    throw refusal(`a link leads out of the flow's directory: ${shortPath(relative(this.#root, directory))}`);
  }
}

export class Disk implements FileSystem {
  readonly #root: string;
  readonly #links: NoLinks;
  readonly #quota: FileQuota;
  readonly inProgress = new Set<string>();
  readonly one = oneAtATime();

  constructor(root: string, mostBytes: number) {
    this.#root = root;
    this.#links = new NoLinks(root);
    this.#quota = new FileQuota(root, mostBytes);
  }

  read(path: string, mostBytes: number): Promise<Buffer> {
    return this.#doing("Cannot retrieve file", path, async () => {
      await this.#links.above(path);
      return readRaw(path, mostBytes);
    });
  }

  write(path: string, content: Uint8Array, how: HowToWrite = {}): Promise<void> {
    return this.#doing("Cannot store file", path, () => this.#write(path, content, how));
  }

  replace(path: string, content: Uint8Array, how: HowToWrite = {}): Promise<void> {
    const part = join(dirname(path), partName(basename(path)));
    return this.#doing("Cannot store file", path, async () => {
      try {
        await this.#write(part, content, how);
        await rename(part, path);
      } catch (error) {
        await unlink(part).catch(() => {});
        throw error;
      }
    });
  }

  /** Replaces an existing file (Camel: GenericFileProcessStrategySupport.renameFile). */
  move(from: string, to: string): Promise<void> {
    return this.#doing(`Cannot rename file: ${shortPath(this.#shown(from))} to`, to, async () => {
      await this.#links.above(from);
      await this.#links.make(dirname(to));
      await rename(from, to);
    });
  }

  remove(path: string): Promise<boolean> {
    return this.#doing("Cannot delete file", path, async () => {
      await this.#links.above(path);
      try {
        await unlink(path);
        return true;
      } catch (error) {
        if (codeOf(error) === "ENOENT") return false;
        throw error;
      }
    });
  }

  stat(path: string): Promise<Stats | undefined> {
    return this.#doing("Cannot look at file", path, () => statRaw(path));
  }

  setTime(path: string, time: Date): Promise<void> {
    return this.#doing("Cannot store file", path, () => utimes(path, time, time));
  }

  list(path: string, most: number): Promise<Dirent[] | undefined> {
    return this.#doing("Cannot read directory", path, async () => {
      await this.#links.above(path);
      if ((await statRaw(path))?.isDirectory() !== true) return undefined;
      const entries: Dirent[] = [];
      for await (const entry of await opendir(path)) {
        if (entries.length >= most) break;
        entries.push(entry);
      }
      return entries;
    });
  }

  makeRoom(path: string): Promise<void> {
    return this.#doing("Cannot create directory", path, () => this.#links.make(path));
  }

  async #write(path: string, content: Uint8Array, how: HowToWrite): Promise<void> {
    await this.#links.above(path);
    await this.#quota.take(content.length, how.append !== true || (await statRaw(path)) === undefined);
    await writeRaw(path, content, how);
  }

  async #doing<T>(what: string, path: string, action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw fileFailure(what, this.#shown(path), error);
    }
  }

  #shown(path: string): string {
    return relative(this.#root, path);
  }
}

/** A random name, because the longest possible name has no room for a suffix. */
function partName(name: string): string {
  return `.${createHash("sha256").update(name).digest("hex").slice(0, 16)}.part`;
}

const disks = new Map<string, Disk>();

/** Returns the disk of this directory. A flow's thread has one directory. */
export function diskAt(root: string, { flowFilesBytes }: Limits): Disk {
  let disk = disks.get(root);
  if (disk === undefined) {
    disk = new Disk(root, flowFilesBytes);
    disks.set(root, disk);
  }
  return disk;
}
