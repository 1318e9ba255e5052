/** The rights of threads: no environment of the runtime, read access to the runtime's code, the network if the flow calls out, a directory if it has files. */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { networkThread, packedThread } from "../../../shared/protocol.ts";
import { codeCacheOf, codeRoot, isBundle } from "../code.ts";

const root = fileURLToPath(codeRoot);
const coverage = process.env.BULKHEAD_COVERAGE_DIR;

/** A coverage run needs the inspector and one directory to write to. */
const ofCoverage =
  coverage === undefined ? [] : [`--allow-fs-write=${coverage}/*`, `--allow-fs-read=${root}*`, "--allow-inspector"];

/**
 * The file from which a thread reads its id in the operating system. Threads get the right to this file only: the right to its directory would
 * include the environment of the process and, through the links `root` and `cwd`, all files.
 */
const ownStat = "/proc/thread-self/stat";

export interface ThreadFlags {
  readonly env: Record<string, string>;
  readonly execArgv: string[];
  /** The kind of the thread, which decides what it gives up itself. */
  readonly argv: string[];
}

export interface ThreadKind {
  readonly network?: boolean;
  /** A directory that it may read and write. */
  readonly files?: string | undefined;
  /** Its messages are packed. */
  readonly packed?: boolean;
}

/** Before Node 25 the permission model does not cover the network, and has no flag for it. */
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
      ...[...codeOf(entry), ownStat].map((path) => `--allow-fs-read=${path}`),
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
 * Options of a host process that runs this module: it may start threads, which have rights of their own, and read the runtime's code, nothing
 * else. Its connection to control is a descriptor that it inherits, so it needs no right to the network.
 */
export function hostFlags(entry: URL): Omit<ThreadFlags, "argv"> {
  return {
    env: coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage },
    execArgv: [
      "--permission",
      "--allow-worker",
      ...codeOf(entry).map((path) => `--allow-fs-read=${path}`),
      "--disable-warning=SecurityWarning",
      "--disable-warning=ExperimentalWarning",
      ...ofCoverage,
    ],
  };
}

/**
 * Options of the process that has databases in this folder open. It may read the runtime's code, use the folder, and start
 * the one thread that watches whether control still lives. Without a compiler V8 reserves little memory, so that a limit
 * of the system on the process's memory is near what it uses; sources need one, since Node makes JavaScript of them.
 */
export function embeddedFlags(entry: URL, folder: string): Omit<ThreadFlags, "argv"> {
  const { env, execArgv } = hostFlags(entry);
  const heap = ["--max-old-space-size=128", "--max-semi-space-size=2"];
  return {
    env,
    execArgv: [
      ...execArgv,
      ...[folder, `${folder}/*`].flatMap(both),
      ...heap,
      ...(isSource(entry) ? [] : ["--jitless"]),
    ],
  };
}

export function isSource(entry: URL): boolean {
  return entry.pathname.endsWith(".ts");
}

function both(path: string): string[] {
  return [`--allow-fs-read=${path}`, `--allow-fs-write=${path}`];
}

/**
 * Returns what code that begins with this module reads: its folder for a bundle, which needs no library beside it; else the sources and the
 * libraries. Threads begin with a file of Piscina, which is a library where control itself runs from its sources.
 */
function codeOf(entry: URL): readonly string[] {
  if (isBundle(entry)) return [besides(entry), ...(isBundle(new URL(import.meta.url)) ? [] : libraries("piscina/"))];
  return [`${root}src/*`, `${root}dist/*`, ...libraries(""), `${root}package.json`, besides(entry)];
}

/** Returns the files of all libraries, or of one. Their folder may be a link; Node checks the path as written and its target. */
function libraries(name: string): readonly string[] {
  const folder = `${root}node_modules`;
  return [...new Set([folder, realpathSync(folder)])].map((path) => `${path}/${name}*`);
}

/** Returns the files beside an entry, from which it imports modules. */
function besides(entry: URL): string {
  return fileURLToPath(new URL("*", entry));
}
