/**
 * How many threads this machine has room for: by its file descriptors, and by the limit of its control group. Only Linux reports these; elsewhere
 * they are not known.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { AppError } from "../../shared/errors.ts";
import { missingCode } from "./code.ts";

export interface Room {
  readonly descriptors: number;
  /** Open descriptors, not counting those of threads. */
  readonly open: number;
  /** Threads and processes of its control group; undefined: no limit, or not known. */
  readonly pids: number | undefined;
  readonly flows: number;
  /** How many threads the flows have when all of them are live. */
  readonly threads: number;
  /** `busyThreads` and `standbyThreads` of the runtime's limits. */
  readonly busyThreads: number;
  readonly standbyThreads: number;
}

const connections = 200;
/** Descriptors for files that are read and written, and for what libraries open. */
const files = 50;
/** Threads of the process itself: V8's and libuv's helpers, and those that check flows. */
const ownThreads = 20;

interface Report {
  readonly level: "INFO" | "WARN";
  readonly message: string;
}

/** Returns the line for the log at boot: how many threads can be live, and a warning when these flows need more. */
export function roomReport({ descriptors, open, pids, flows, threads, busyThreads, standbyThreads }: Room): Report {
  const rest = open + connections + files;
  const byDescriptors = Math.max(0, Math.floor((descriptors - rest) / descriptorsPerThread) - standbyThreads);
  const byPids = pids === undefined ? Number.POSITIVE_INFINITY : Math.max(0, pids - ownThreads - standbyThreads);
  const room = Math.min(byDescriptors, byPids);
  const wanted = Math.max(threads, busyThreads);
  const counted = `${descriptors} descriptors (ulimit -n): about ${byDescriptors} threads of flows can be live at once (${descriptorsPerThread} each), beside ${connections} connections`;
  const group = pids === undefined ? "" : `; the control group allows ${pids} threads and processes (pids.max)`;
  if (room >= wanted) return { level: "INFO", message: `${counted}${group}` };
  const need = (of: number): number => rest + (of + standbyThreads) * descriptorsPerThread;
  const advice = [
    ...(byDescriptors < wanted ? [`a limit of ${need(wanted)} descriptors, for 1000 flows ${need(1000)}`] : []),
    ...(byPids < wanted ? [`a pids.max of ${wanted + standbyThreads + ownThreads}`] : []),
  ];
  const wants =
    threads >= busyThreads ? `the ${flows} flows that are loaded have ${threads}` : `busyThreads allows ${busyThreads}`;
  return { level: "WARN", message: `${counted}${group}; ${wants}: set ${advice.join(" and ")}` };
}

/** How many descriptors a thread of this runtime takes, as measured: those of its event loop. */
export const descriptorsPerThread = 5;

let limit: number | undefined;

/** Returns the soft limit of this process (`ulimit -n`); undefined: not known, or there is none. */
export function descriptorLimit(): number | undefined {
  if (limit === undefined)
    limit = Number(/^Max open files\s+(\d+)/m.exec(read("/proc/self/limits"))?.[1] ?? Number.NaN);
  return Number.isNaN(limit) ? undefined : limit;
}

/** Returns how many file descriptors this process has; undefined: not known. */
export function openDescriptors(): number | undefined {
  try {
    // Linux 6.2 and later give the number as the directory's size: its names take each boot 1.5 ms when there are 2500.
    const { size } = statSync("/proc/self/fd");
    // One of the names is the descriptor of this directory.
    return size > 0 ? size : readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}

/** Returns how many descriptors threads must leave for connections, files and the runtime itself. */
export function reservedDescriptors(limit: number): number {
  return Math.min(256, Math.ceil(limit / 10));
}

/** Returns how many threads and processes the control group of this process may have (`pids.max`); undefined: no limit, or not known. */
export function threadLimit(): number | undefined {
  const groups = read("/proc/self/cgroup");
  const paths = [
    ["/sys/fs/cgroup", /^0::(.*)$/m],
    ["/sys/fs/cgroup/pids", /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m],
  ] as const;
  for (const [root, pattern] of paths) {
    const path = pattern.exec(groups)?.[1];
    // In a container the file is at the root, whatever path the process has.
    for (const place of path === undefined ? [] : [`${root}${path}/pids.max`, `${root}/pids.max`]) {
      const most = Number(read(place).trim() || Number.NaN);
      if (Number.isSafeInteger(most)) return most;
    }
  }
  return undefined;
}

/** Throws `no_thread` when a new thread would leave too few descriptors for everything else. */
export function assertDescriptors(most = descriptorLimit(), open = openDescriptors()): void {
  if (most === undefined || open === undefined) return;
  const reserved = reservedDescriptors(most);
  if (open + descriptorsPerThread + reserved <= most) return;
  throw noThread(
    `${open} of ${most} descriptors are in use (ulimit -n), a thread takes ${descriptorsPerThread}, and ${reserved} are kept for connections and files: raise the limit, or stop flows`,
  );
}

/** Returns the error to report when a thread does not boot: `no_thread` when the system refused it or the code is gone, else `error` itself. */
export function bootFailure(error: unknown): unknown {
  const missing = missingCode();
  if (missing !== undefined) return noThread(missing);
  const { code, message = "" } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code !== "ERR_WORKER_INIT_FAILED" && code !== "EMFILE" && code !== "ENFILE" && code !== "EAGAIN") return error;
  const why = /\b(EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.exec(`${code} ${message}`)?.[1] ?? code;
  const [files, threads] = [descriptorLimit(), threadLimit()];
  const limits = [
    ...(files === undefined ? [] : [`${files} descriptors (ulimit -n)`]),
    ...(threads === undefined ? [] : [`${threads} threads and processes (pids.max)`]),
  ];
  const bounds = limits.length === 0 ? "" : `; the limits are ${limits.join(" and ")}`;
  return noThread(`the system gives no more (${why})${bounds}`);
}

function noThread(why: string): AppError {
  return noThreadError(`no thread can be had for the flow: ${why}`);
}

export function noThreadError(message: string): AppError {
  return new AppError("no_thread", message, { "Retry-After": "30" });
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
