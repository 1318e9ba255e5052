/** What a thread may touch: an empty environment, read access to the runtime's own code, nothing else. */
import { fileURLToPath } from "node:url";
import { codeRoot } from "./code.ts";

const root = fileURLToPath(codeRoot);
const coverage = process.env.BULKHEAD_COVERAGE_DIR;

/**
 * `--permission` denies files, processes, threads and addons (Node 24), and the network (from Node 26 on).
 * A coverage run needs the inspector and one directory to write to.
 */
export const threadFlags = {
  env: coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage },
  execArgv: [
    "--permission",
    `--allow-fs-read=${root}src/*`,
    `--allow-fs-read=${root}dist/*`,
    `--allow-fs-read=${root}node_modules/*`,
    `--allow-fs-read=${root}package.json`,
    "--disable-warning=SecurityWarning",
    ...(coverage === undefined
      ? []
      : [`--allow-fs-write=${coverage}/*`, `--allow-fs-read=${root}*`, "--allow-inspector"]),
  ],
};
