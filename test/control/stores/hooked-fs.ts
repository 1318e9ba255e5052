/** The file system with hooks before and after each operation that changes it. */
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";
import { type Failpoint, FailpointNames } from "./failpoints.ts";

export interface FsHook {
  /** Ahead of each change; when it throws, the change is not made: of a write, unless the error says so, not even a part. A promise holds the operation up. */
  before?(point: Failpoint): unknown;
  /** Behind each change that was made or refused by the system, such as an unlink of what is not there. */
  after?(point: Failpoint): unknown;
  /** Syncs that are answered without being made. */
  readonly without?: Failpoint | undefined;
}

/** What a system call fails with; `partly`: of a write, after half of it was made. */
export interface SystemError extends NodeJS.ErrnoException {
  readonly partly: boolean;
}

export function systemError(code: string, partly = false): SystemError {
  return Object.assign(new Error(`${code}: in a test`), { code, partly });
}

/** `namesOf`: whose operation it is, where several flows are changed at once and each is to have names of its own. */
export function hookedFs(hook: FsHook, inner: FsPort = nodeFs, namesOf?: () => FailpointNames): FsPort {
  const ownNames = new FailpointNames();
  const names = { of: (...change: Parameters<FailpointNames["of"]>) => (namesOf?.() ?? ownNames).of(...change) };
  const around = async <Result>(point: Failpoint, change: () => Promise<Result>): Promise<Result> => {
    const held = hook.before?.(point);
    if (held instanceof Promise) await held;
    try {
      return await change();
    } finally {
      const heldAfter = hook.after?.(point);
      if (heldAfter instanceof Promise) await heldAfter;
    }
  };
  const sync = (point: Failpoint, change: () => Promise<void>): Promise<void> =>
    around(point, () => (hook.without === point ? Promise.resolve() : change()));
  return {
    names: (directory) => inner.names(directory),
    facts: (path) => inner.facts(path),
    realPath: (path) => inner.realPath(path),
    read: (path, mostBytes) => inner.read(path, mostBytes),
    mayWrite: (directory) => inner.mayWrite(directory),
    rename: (from, to) => around(names.of("rename", to), () => inner.rename(from, to)),
    unlink: (path) => around(names.of("unlink", path), () => inner.unlink(path)),
    makeDirectory: (path, mode) => around(names.of("makeDirectory", path), () => inner.makeDirectory(path, mode)),
    syncDirectory: (path) => sync(names.of("syncDirectory", path), () => inner.syncDirectory(path)),
    create: (path, mode) =>
      around(names.of("create", path), async () => {
        const file = await inner.create(path, mode);
        return {
          async write(content) {
            try {
              await around(names.of("write", path), () => file.write(content));
            } catch (error) {
              if ((error as SystemError).partly) await file.write(content.subarray(0, content.length >> 1));
              throw error;
            }
          },
          sync: () => sync(names.of("sync", path), () => file.sync()),
          close: () => file.close(),
        };
      }),
  };
}
