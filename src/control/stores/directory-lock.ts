/**
 * Locks the data and the routes directory for one process: the kernel's lock decides within a machine, a record that
 * its owner touches between machines.
 */
import { promises as fs } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { nodeFs } from "./fs-port.ts";
import { type KernelLock, takeKernelLock } from "./kernel-lock.ts";
import { fileOf, type LockRecord, newRecord, readRecord, signOfLife, silentMs, writeRecord } from "./lock-record.ts";
import { errorCode } from "./store-error.ts";

export interface LockedDirectory {
  /** The variable that sets the directory, for messages. */
  readonly variable: "DATA_DIR" | "ROUTES_DIR";
  readonly path: string;
  /** The mode of the directory, if it has to be made. */
  readonly mode: number;
  /** The record's file name in the directory; the lock's is the same with `.sqlite`. */
  readonly record: string;
  /** How long (ms) to wait for an owner that is about to end. */
  readonly waitMs?: number;
}

export interface DirectoryLock {
  /**
   * Present: the directory cannot be written, so there is no lock; by the time that it can be, another process may have
   * it.
   */
  readonly warning?: string;
  /** Why this process no longer owns the directory, as far as is known; once lost, it stays lost. */
  readonly reason: string | undefined;
  /** Looks at the record, then returns `reason`. */
  lost(): Promise<string | undefined>;
  release(): Promise<void>;
}

/** How often the owner touches its record, and checks that it is still its own. */
const touchMs = 10_000;
const againMs = 50;

/** Rejects with an Error that names the owner when another process has the directory. `onLost`: called once. */
export async function lockDirectory(
  directory: LockedDirectory,
  onLost: (reason: string) => void = () => {},
): Promise<DirectoryLock> {
  const { variable, path, mode, record } = directory;
  const recordPath = join(path, record);
  const lockPath = `${recordPath}.sqlite`;
  let kernel: KernelLock | undefined;
  let own: LockRecord;
  try {
    await fs.mkdir(path, { recursive: true, mode });
    kernel = await takeInTime(
      () => nameFile(`'${record}.sqlite' in ${variable}`, () => takeKernelLock(lockPath)),
      directory,
    );
    if (kernel === undefined) throw inUseError(variable, await readRecord(recordPath).catch(() => undefined));
    own = await newRecord(lockPath);
    const other = await readRecord(recordPath);
    const age = other && (await signOfLife(recordPath, other, own));
    if (age !== undefined) throw inUseError(variable, other, age);
    await nameFile(`'${record}' in ${variable}`, () => writeRecord(recordPath, own));
  } catch (error) {
    kernel?.release();
    if (!unwritable.includes(errorCode(error))) throw error;
    const warning = `${variable} cannot be written (${errorCode(error)}), and so it is not locked: flows run, but nothing can be deployed before it can be and the runtime is restarted`;
    return { warning, reason: undefined, lost: () => Promise.resolve(undefined), release: () => Promise.resolve() };
  }
  return new HeldLock(directory, kernel, own, onLost);
}

const unwritable: readonly string[] = ["EROFS", "EACCES", "EPERM", "EEXIST", "ENOTDIR", "ENOSPC", "EDQUOT"];

class HeldLock implements DirectoryLock {
  readonly #directory: LockedDirectory;
  readonly #kernel: KernelLock;
  readonly #own: LockRecord;
  readonly #onLost: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #reason: string | undefined;
  /** The stamp of the record when it was read last and was this process's own: it is read again when it has another one. */
  #read: string | undefined;

  constructor(directory: LockedDirectory, kernel: KernelLock, own: LockRecord, onLost: (reason: string) => void) {
    this.#directory = directory;
    this.#kernel = kernel;
    this.#own = own;
    this.#onLost = onLost;
    this.#timer = setInterval(() => void this.#touch(), touchMs).unref();
  }

  get reason(): string | undefined {
    return this.#reason;
  }

  async lost(): Promise<string | undefined> {
    const why = this.#reason === undefined ? await this.#findReason() : undefined;
    if (why === undefined || this.#reason !== undefined) return this.#reason;
    clearInterval(this.#timer);
    this.#reason = `${why}: this runtime changes nothing any more, since another one may; end one of them and start this one again`;
    this.#onLost(this.#reason);
    return this.#reason;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    const record = await readRecord(this.#recordPath).catch(() => undefined);
    if (record?.token === this.#own.token) await fs.unlink(this.#recordPath).catch(() => undefined);
    this.#kernel.release();
  }

  get #recordPath(): string {
    return join(this.#directory.path, this.#directory.record);
  }

  async #touch(): Promise<void> {
    if ((await this.lost()) !== undefined) return;
    const now = new Date();
    await fs.utimes(this.#recordPath, now, now).catch(() => undefined);
  }

  /** Returns why the directory was lost. A record that cannot be read at the moment is no reason. */
  async #findReason(): Promise<string | undefined> {
    const { variable, record } = this.#directory;
    const absent = (error: unknown): undefined => {
      if (errorCode(error) !== "ENOENT") throw error;
    };
    try {
      const [facts, file] = await Promise.all([
        nodeFs.facts(this.#recordPath),
        fileOf(`${this.#recordPath}.sqlite`).catch(absent),
      ]);
      const isRead = facts !== undefined && facts.stamp === this.#read;
      const found = isRead ? this.#own : await readRecord(this.#recordPath);
      this.#read = facts?.stamp;
      if (found === undefined) return `'${record}' in ${variable} was removed or overwritten`;
      if (found.token !== this.#own.token) return `process ${found.pid} on ${found.host} has taken ${variable} over`;
      if (file?.inode === this.#own.file.inode) return undefined;
    } catch {
      return undefined;
    }
    return `'${record}.sqlite' in ${variable} was removed or replaced`;
  }
}

/** Retries until `waitMs` is over: a killed process keeps its locks until its last thread has ended. */
async function takeInTime<Result>(
  take: () => Promise<Result | undefined>,
  { waitMs = 3000 }: LockedDirectory,
): Promise<Result | undefined> {
  const until = performance.now() + waitMs;
  let taken = await take();
  while (taken === undefined && performance.now() < until) {
    await sleep(againMs);
    taken = await take();
  }
  return taken;
}

/** Names the file in an error that is not a system error and does not name it. */
async function nameFile<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    if (errorCode(error).startsWith("E")) throw error;
    throw new Error(`${what} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** `age`: how long ago (ms) an owner on another machine was there. */
function inUseError(variable: string, record: LockRecord | undefined, age?: number): Error {
  const owner =
    record === undefined
      ? "another process, which has left no record"
      : `process ${record.pid} on ${record.host}, started ${record.startedAt}`;
  const seen = age === undefined ? "" : `, which was there ${Math.round(age / 1000)} s ago`;
  const dead = age === undefined ? "" : ` (if it has died, wait until ${silentMs / 1000} s have passed)`;
  return new Error(`${variable} is in use by ${owner}${seen}: stop it, or give this one another ${variable}${dead}`);
}

/** What a runtime locks before it reads or writes files. */
export interface LockedDirectories {
  readonly dataDirectory: string;
  readonly routesDirectory: string;
}

/**
 * Locks the data directory and then the routes directory, which two runtimes with different data directories might
 * share. A directory that cannot be written is not locked, and `warning` says that nothing is changed in it: runtimes
 * may serve the same flows from a mounted directory. Rejects with an Error that names the owner, and then holds neither
 * lock. `waitMs`: how long to wait for an owner that is about to end.
 */
export async function lockDirectories(
  { dataDirectory, routesDirectory }: LockedDirectories,
  onLost: (reason: string) => void,
  waitMs?: number,
): Promise<readonly [DirectoryLock, DirectoryLock]> {
  const wait = waitMs === undefined ? {} : { waitMs };
  const data = { variable: "DATA_DIR", path: dataDirectory, mode: 0o700, record: "lock", ...wait } as const;
  const routes = {
    variable: "ROUTES_DIR",
    path: routesDirectory,
    mode: 0o755,
    record: ".bulkhead-lock",
    ...wait,
  } as const;
  const first = await lockDirectory(data, onLost);
  try {
    return [first, await lockDirectory(routes, onLost)];
  } catch (error) {
    await first.release();
    throw error;
  }
}

export async function releaseAll(locks: readonly DirectoryLock[]): Promise<void> {
  for (const lock of locks) await lock.release();
}
