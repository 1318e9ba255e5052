/**
 * `readLock=changed`: a file is taken after it has not changed for a while (Camel:
 * FileChangedExclusiveReadLockStrategy).
 */
import type { FoundFile } from "./headers.ts";
import type { FileOptions } from "./options.ts";

interface Seen {
  readonly size: number;
  readonly mtimeMs: number;
  readonly since: number;
}

type LockOptions = Pick<
  FileOptions,
  "readLock" | "readLockCheckInterval" | "readLockTimeout" | "readLockMinLength" | "readLockMinAge"
>;

export class ReadLock {
  readonly #options: LockOptions;
  #before = new Map<string, Seen>();
  #now = new Map<string, Seen>();

  readonly #clock: () => number;

  /** Throws for contradictory options. `clock`: milliseconds. */
  constructor(options: LockOptions, clock = () => performance.now()) {
    const { readLock, readLockTimeout, readLockCheckInterval } = options;
    if (readLock !== "none" && readLockTimeout > 0 && readLockTimeout <= readLockCheckInterval) {
      throw new Error(
        `The option readLockTimeout must be higher than readLockCheckInterval, was readLockTimeout=${readLockTimeout}, readLockCheckInterval=${readLockCheckInterval}`,
      );
    }
    this.#options = options;
    this.#clock = clock;
  }

  /** Must be called once per poll: files that the poll does not ask for are dropped. */
  next(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  isStill({ path, stats: { size, mtimeMs } }: FoundFile): boolean {
    const { readLock, readLockCheckInterval, readLockMinLength, readLockMinAge } = this.#options;
    if (readLock === "none") return true;
    if (readLockMinAge > 0) return size >= readLockMinLength && mtimeMs < Date.now() - readLockMinAge;
    const before = this.#before.get(path);
    const same = before !== undefined && before.size === size && before.mtimeMs === mtimeMs;
    const seen = same ? before : { size, mtimeMs, since: this.#clock() };
    this.#now.set(path, seen);
    return size >= readLockMinLength && same && this.#clock() - seen.since >= readLockCheckInterval;
  }
}
