/** What an operator is told at boot of the threads that this machine has room for, in numbers. */
import { descriptorsPerThread } from "./descriptors.ts";

export interface Room {
  readonly descriptors: number;
  /** Open descriptors, those of threads left out. */
  readonly open: number;
  /** Threads and processes of its control group; undefined: no limit, or not known. */
  readonly pids: number | undefined;
  readonly flows: number;
  /** Of these flows, when all of them have theirs. */
  readonly threads: number;
  /** Limits of the runtime. */
  readonly busyThreads: number;
  readonly standbyThreads: number;
}

const connections = 200;
/** Files that are being read and written, and what a library may open. */
const files = 50;
/** Of the process itself: V8's and libuv's helpers, and the threads that check. */
const ownThreads = 20;

export interface Report {
  readonly level: "INFO" | "WARN";
  readonly message: string;
}

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
