/** What a thread may touch: no environment of the runtime, read access to the runtime's own code, the network if its flow calls out, a directory if it has files. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { networkThread, packedThread } from "../../../shared/protocol.ts";
import { codeCacheOf, codeRoot } from "../code.ts";

const root = fileURLToPath(codeRoot);
/** A package manager may have linked the folder; permissions are asked for the path as it stands and for where it leads. */
const modules = [...new Set([`${root}node_modules`, realpathSync(`${root}node_modules`)])];
const coverage = process.env.BULKHEAD_COVERAGE_DIR;

const code = [`${root}src/*`, `${root}dist/*`, ...modules.map((folder) => `${folder}/*`), `${root}package.json`];
/** A coverage run needs the inspector and one directory to write to. */
const ofCoverage =
  coverage === undefined ? [] : [`--allow-fs-write=${coverage}/*`, `--allow-fs-read=${root}*`, "--allow-inspector"];

/**
 * Where a thread reads which of the system's threads it is. This file and no more: a right to the directory that it is in would reach
 * the process's environment and, through its links `root` and `cwd`, all files.
 */
const ownStat = "/proc/thread-self/stat";

export interface ThreadFlags {
  readonly env: Record<string, string>;
  readonly execArgv: string[];
  /** Tells the thread what it is, since it gives up the rest itself. */
  readonly argv: string[];
}

export interface ThreadKind {
  readonly network?: boolean;
  /** A directory that it may read and write. */
  readonly files?: string | undefined;
  /** Its messages are packed. */
  readonly packed?: boolean;
}

/** Until Node 25 the permission model knows no network, and no flag that gives it. */
const deniesNetwork = Number(process.versions.node.split(".")[0]) >= 25;

/**
 * Options of a thread that runs this module. `--permission` denies files, processes, threads and addons (Node 24), and
 * the network (from Node 25 on); src/workers/renounce.ts takes more away from inside.
 *
 * `--interactive` does nothing in a thread but this: Node lets every program read its own first argument, a thread has
 * none, and the empty path counts as the working directory, where the flows, their params and `.env` files may be.
 * Programs that are interactive have no such argument (24.21 and 26.10).
 */
export function threadFlags(entry: URL, { network = false, files, packed = false }: ThreadKind = {}): ThreadFlags {
  const cache = codeCacheOf(entry);
  return {
    env: coverage === undefined ? cache.env : { NODE_V8_COVERAGE: coverage },
    execArgv: [
      "--permission",
      "--interactive",
      ...[...code, ownStat, besides(entry)].map((path) => `--allow-fs-read=${path}`),
      // Node 26 calls the flag experimental, on standard error, for each thread.
      ...(network && deniesNetwork ? ["--allow-net", "--disable-warning=ExperimentalWarning"] : []),
      ...(files === undefined ? [] : [files, `${files}/*`].flatMap(both)),
      "--disable-warning=SecurityWarning",
      ...cache.execArgv,
      ...ofCoverage,
    ],
    argv: [...(network ? [networkThread] : []), ...(packed ? [packedThread] : [])],
  };
}

/**
 * Options of a host process that runs this module: it starts threads, whose own flags say what they may, and reads the runtime's code,
 * nothing else. Control looks from outside which threads it has. Descriptors that it is born with need no right to the network.
 */
export function hostFlags(entry: URL): Omit<ThreadFlags, "argv"> {
  return {
    env: coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage },
    execArgv: [
      "--permission",
      "--allow-worker",
      ...[...code, fileURLToPath(entry)].map((path) => `--allow-fs-read=${path}`),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
      ...ofCoverage,
    ],
  };
}

function both(path: string): string[] {
  return [`--allow-fs-read=${path}`, `--allow-fs-write=${path}`];
}

/** An entry that is not the runtime's own has what it imports beside it. */
function besides(entry: URL): string {
  return fileURLToPath(new URL("*", entry));
}
