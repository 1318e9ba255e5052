/** What a runtime locks before it reads or writes anything. */
import { type DirectoryLock, lockDirectory } from "./directory-lock.ts";

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
