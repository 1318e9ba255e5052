/** The file system with an eye, and a thumb, on each operation that changes it. */
import { basename } from "node:path";
import { type FsPort, nodeFs } from "../../../src/control/stores/fs-port.ts";

/** `rename orders.yaml`, `write orders.yaml.tmp`, `syncDirectory routes`, ... */
export type Operation = string;

/** `before` runs ahead of each change; when it throws, the change is not made. */
export function watchedFs(before: (operation: Operation) => void): FsPort {
  const ahead = async <Result>(operation: string, path: string, change: () => Promise<Result>): Promise<Result> => {
    before(`${operation} ${plain(path)}`);
    return change();
  };
  return {
    ...nodeFs,
    rename: (from, to) => ahead("rename", to, () => nodeFs.rename(from, to)),
    unlink: (path) => ahead("unlink", path, () => nodeFs.unlink(path)),
    makeDirectory: (path, mode) => ahead("makeDirectory", path, () => nodeFs.makeDirectory(path, mode)),
    syncDirectory: (path) => ahead("syncDirectory", path, () => nodeFs.syncDirectory(path)),
    create: (path, mode) =>
      ahead("create", path, async () => {
        const file = await nodeFs.create(path, mode);
        return {
          write: (content) => ahead("write", path, () => file.write(content)),
          sync: () => ahead("sync", path, () => file.sync()),
          close: () => file.close(),
        };
      }),
  };
}

/** A temp file's name without its random part. */
function plain(path: string): string {
  return basename(path).replace(/^\.(.+)\.[0-9a-f]{12}\.tmp$/, "$1.tmp");
}

export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: in a test`), { code });
}
