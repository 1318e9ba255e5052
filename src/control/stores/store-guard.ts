/** Decides whether what a process keeps on its disk may be changed: one answer for all its stores. */
import { AppError } from "../../shared/errors.ts";
import type { DirectoryLock } from "./directory-lock.ts";
import { isRefused, TornWriteError, writeError } from "./store-error.ts";
import type { StoreStatus } from "./stores.ts";

/** The parts of one change look at the locks once if no more time than this passes. */
const sameLookMs = 100;

export class StoreGuard {
  /** Why nothing can be changed until a restart. */
  #readOnly: string | undefined;
  /** Why the file system refused the last write of a store, by store; a later write may succeed. */
  readonly #refused = new Map<string, string>();
  readonly #locks: readonly DirectoryLock[];

  /** `readOnly`: why nothing may be changed in the life of this process. */
  constructor(readOnly?: string, locks: readonly DirectoryLock[] = []) {
    this.#readOnly = readOnly;
    this.#locks = locks;
  }

  get status(): StoreStatus {
    const lost = this.#locks.find((lock) => lock.reason !== undefined)?.reason;
    if (lost !== undefined) return { writable: false, reason: lost, lost: true };
    const reason = this.#readOnly ?? this.#refused.values().next().value;
    return reason === undefined ? { writable: true } : { writable: false, reason };
  }

  /** What is on the disk is unknown: refuses all changes from now on, and returns the reason. */
  torn(error: TornWriteError): string {
    this.#readOnly = `the store is read-only until the runtime is restarted, because ${error.message}: check the disk first`;
    return this.#readOnly;
  }

  /**
   * Makes a change. `area`: the store that it belongs to; `lookedMs`: when the change's first part looked at the locks, as of
   * `performance.now()`. Every failure becomes an AppError.
   */
  async change<Result>(area: string, change: () => Promise<Result>, lookedMs = 0): Promise<Result> {
    try {
      if (lookedMs === 0 || performance.now() - lookedMs > sameLookMs) await this.#look();
      if (this.#readOnly !== undefined) throw new AppError("store_failed", this.#readOnly);
      const result = await change();
      this.#refused.delete(area);
      return result;
    } catch (error) {
      if (isRefused(error)) this.#refused.set(area, writeError(error).message);
      if (error instanceof TornWriteError) throw new AppError("store_failed", this.torn(error));
      throw writeError(error);
    }
  }

  /** Throws lock_lost. */
  async #look(): Promise<void> {
    for (const lost of await Promise.all(this.#locks.map((lock) => lock.lost())))
      if (lost !== undefined) throw new AppError("lock_lost", lost);
  }

  /** Attempts a write, so that an operator learns without a change that changes would be refused. */
  async tryWriting(area: string, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#refused.delete(area);
    } catch (error) {
      this.#refused.set(area, writeError(error).message);
    }
  }
}
