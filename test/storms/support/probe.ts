/** Loaded into the server's process with `--import`: answers each message with what the process holds after a garbage collection. */
import { readdirSync, readFileSync } from "node:fs";
import { onNextTurn } from "../../support/clock.ts";

export interface Holdings {
  /** Bytes. */
  readonly heap: number;
  readonly external: number;
  readonly resident: number;
  readonly descriptors: number;
  readonly threads: number;
  /** By `process.getActiveResourcesInfo`: what keeps the process alive. */
  readonly timers: number;
  readonly ports: number;
}

function holdings(): Holdings {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error("start it with --expose-gc");
  // As before running out of memory: otherwise compiled code and caches stay as long as V8 likes, and look like growth.
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, external } = process.memoryUsage();
  const resources = process.getActiveResourcesInfo();
  const count = (type: string): number => resources.filter((one) => one === type).length;
  return {
    heap: heapUsed,
    external,
    // Of the kernel: what `memoryUsage` tells is a little older.
    resident: Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024,
    descriptors: readdirSync("/proc/self/fd").length,
    threads: readdirSync("/proc/self/task").length,
    timers: count("Timeout"),
    ports: count("MessagePort"),
  };
}

process.on("message", () => onNextTurn(() => process.send?.(holdings())));
process.channel?.unref();
