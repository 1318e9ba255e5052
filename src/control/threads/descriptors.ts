/** File descriptors of this process: how many there are, and whether another thread may have some. Linux only; elsewhere nothing is known. */
import { readdirSync, readFileSync } from "node:fs";
import { AppError } from "../../shared/errors.ts";

/** Of a thread of this runtime, measured: its event loop's, and no others. */
export const descriptorsPerThread = 5;

let limit: number | undefined;

/** The soft limit of this process (`ulimit -n`); undefined: not known, or there is none. */
export function descriptorLimit(): number | undefined {
  if (limit === undefined)
    limit = Number(/^Max open files\s+(\d+)/m.exec(read("/proc/self/limits"))?.[1] ?? Number.NaN);
  return Number.isNaN(limit) ? undefined : limit;
}

/** undefined: not known. */
export function openDescriptors(): number | undefined {
  try {
    // One of them is the directory's own.
    return readdirSync("/proc/self/fd").length - 1;
  } catch {
    return undefined;
  }
}

/** What threads must leave: for connections, files and the runtime itself. */
export function reservedDescriptors(limit: number): number {
  return Math.min(256, Math.ceil(limit / 10));
}

/** Threads that the control group of this process may have (`pids.max`), processes counted; undefined: as many as it likes, or not known. */
export function threadLimit(): number | undefined {
  const groups = read("/proc/self/cgroup");
  const paths = [
    ["/sys/fs/cgroup", /^0::(.*)$/m],
    ["/sys/fs/cgroup/pids", /^\d+:(?:[^:]*,)?pids(?:,[^:]*)?:(.*)$/m],
  ] as const;
  for (const [root, pattern] of paths) {
    const path = pattern.exec(groups)?.[1];
    // In a container the file stands at the root, whatever the path says.
    for (const place of path === undefined ? [] : [`${root}${path}/pids.max`, `${root}/pids.max`]) {
      const most = Number(read(place).trim() || Number.NaN);
      if (Number.isSafeInteger(most)) return most;
    }
  }
  return undefined;
}

/** Throws `no_thread` when a thread would leave too few for everything else. */
export function assertDescriptors(most = descriptorLimit(), open = openDescriptors()): void {
  if (most === undefined || open === undefined) return;
  const reserved = reservedDescriptors(most);
  if (open + descriptorsPerThread + reserved <= most) return;
  throw noThread(
    `${open} of ${most} descriptors are in use (ulimit -n), a thread takes ${descriptorsPerThread}, and ${reserved} are kept for connections and files: raise the limit, or stop flows`,
  );
}

/** `error` of a thread that did not boot, as whoever wants the thread is told of it. */
export function bootFailure(error: unknown): unknown {
  const { code, message = "" } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (code !== "ERR_WORKER_INIT_FAILED" && code !== "EMFILE" && code !== "ENFILE" && code !== "EAGAIN") return error;
  const why = /\b(EMFILE|ENFILE|EAGAIN|ENOMEM)\b/.exec(`${code} ${message}`)?.[1] ?? code;
  const [files, threads] = [descriptorLimit(), threadLimit()];
  const limits = [
    ...(files === undefined ? [] : [`${files} descriptors (ulimit -n)`]),
    ...(threads === undefined ? [] : [`${threads} threads and processes (pids.max)`]),
  ];
  const told = limits.length === 0 ? "" : `; the limits are ${limits.join(" and ")}`;
  return noThread(`the system gives no more (${why})${told}`);
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
