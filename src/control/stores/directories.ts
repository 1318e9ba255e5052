/** The stores' directories: made when needed, and durable before a store promises anything about their contents. */
import { dirname, resolve } from "node:path";
import type { FsPort } from "./fs-port.ts";
import { isRefused } from "./store-error.ts";

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
