/**
 * Loaded into a server's process before it: `watch` begins to watch how late its main loop is, `lag` tells and ends that (a
 * watched loop is never idle), `heap` tells the bytes of the main thread's heap after a garbage collection, `cpu` the CPU time of the
 * main thread so far, in ms.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Milliseconds. */
export interface MainLag {
  readonly p99: number;
  readonly most: number;
}

const resolutionMs = 5;
const delays = monitorEventLoopDelay({ resolution: resolutionMs });
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - resolutionMs);

function answer(question: unknown): MainLag | number {
  if (question === "heap") {
    setFlagsFromString("--expose-gc");
    // As before running out of memory: pages that are not needed any more are given back.
    (runInNewContext("gc") as NodeJS.GCFunction)({ type: "major", execution: "sync", flavor: "last-resort" });
    return process.memoryUsage().heapUsed;
  }
  if (question === "cpu") {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  }
  if (question === "watch") {
    delays.reset();
    delays.enable();
    return 0;
  }
  delays.disable();
  return { p99: late(delays.percentile(99)), most: late(delays.max) };
}

process.on("message", (question) => process.send?.(answer(question)));
process.channel?.unref();
