/** Directories of ours: made when they are needed, and there for good before anything is promised of what is in them. */
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

  /** Makes it and those above it if need be. */
  async make(): Promise<void> {
    const made = await this.#fs.makeDirectory(this.path, this.#mode);
    if (made !== undefined) this.#durable = false;
  }

  /**
   * Fulfils when it is there and a loss of power does not take it. Once in the life of a process all directories above it
   * are synced: an earlier process may have made any of them and been killed before its sync.
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

  /** What its names were when this fulfils, they are after a loss of power. */
  async sync(): Promise<void> {
    await this.#fs.syncDirectory(this.path);
  }

  /** Rejects when files in it may not be made or replaced. */
  async mayWrite(): Promise<void> {
    await this.make();
    await this.#fs.mayWrite(this.path);
  }

  /** What this user may not even read was there before the runtime. */
  async #syncAbove(path: string): Promise<void> {
    try {
      await this.#fs.syncDirectory(path);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
}
