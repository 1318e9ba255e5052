/** The file system with a number for each operation that changes it, so that a test can end or fail any of them. */
import type { FsPort } from "../../../src/control/stores/fs-port.ts";

/** Names no path: `create`, `write`, `sync`, `rename`, `unlink`, `makeDirectory`, `syncDirectory`. */
export type Operation = string;

/**
 * `before` may throw: the operation is then not made. `without`: the number of a sync that is acknowledged without
 * being made.
 */
export function countedFs(
  inner: FsPort,
  before: (operation: Operation, number: number) => void,
  without?: number,
): FsPort {
  let count = 0;
  const around = async <T>(operation: Operation, change: () => Promise<T>): Promise<T> => {
    const number = ++count;
    before(operation, number);
    return number === without && operation.startsWith("sync") ? (undefined as T) : change();
  };
  return {
    names: (directory) => inner.names(directory),
    facts: (path) => inner.facts(path),
    realPath: (path) => inner.realPath(path),
    read: (path, mostBytes) => inner.read(path, mostBytes),
    mayWrite: (directory) => inner.mayWrite(directory),
    rename: (from, to) => around("rename", () => inner.rename(from, to)),
    unlink: (path) => around("unlink", () => inner.unlink(path)),
    makeDirectory: (path, mode) => around("makeDirectory", () => inner.makeDirectory(path, mode)),
    syncDirectory: (path) => around("syncDirectory", () => inner.syncDirectory(path)),
    create: (path, mode) =>
      around("create", async () => {
        const file = await inner.create(path, mode);
        return {
          write: (content) => around("write", () => file.write(content)),
          sync: () => around("sync", () => file.sync()),
          close: () => file.close(),
        };
      }),
  };
}
