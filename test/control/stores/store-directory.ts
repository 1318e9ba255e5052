/** A file store on its own directory, which is removed at the end of the test file. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { FileFlowStore } from "../../../src/control/stores/file-stores.ts";
import type { FsPort } from "../../../src/control/stores/fs-port.ts";
import { mostBytes, type StoreBench } from "./flow-store-suite.ts";

const root = mkdtempSync(join(tmpdir(), "bulkhead-stores-"));
after(() => rmSync(root, { recursive: true, force: true }));
let count = 0;

export interface FileBench extends StoreBench {
  readonly store: FileFlowStore;
  readonly routes: string;
  readonly data: string;
  restart(fs?: FsPort): FileFlowStore;
}

export function openFiles(fs?: FsPort): FileBench {
  const base = join(root, String(++count));
  const routes = join(base, "routes");
  const data = join(base, "data");
  mkdirSync(routes, { recursive: true });
  const restart = (port?: FsPort) =>
    new FileFlowStore({
      routesDirectory: routes,
      dataDirectory: data,
      flowYamlBytes: mostBytes,
      ...(port !== undefined && { fs: port }),
    });
  return {
    routes,
    data,
    store: restart(fs),
    restart,
    edit: (file, yaml) => (yaml === null ? rm(join(routes, file)) : writeFile(join(routes, file), yaml)),
  };
}
