/** What a thread is killed for, with the figures. */
import type { LimitName, Limits } from "../../../shared/limits.ts";
import { limitTable } from "../../../shared/limits.ts";
import type { Kill, KillReason } from "../kill.ts";

/** 10132.4 -> `10 132`. */
export function figure(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

function exceeding(reason: KillReason, limit: LimitName, limits: Limits, used: number, what: string): Kill {
  const allowed = limits[limit];
  const { unit } = limitTable[limit];
  const detail = `${what} ${figure(used)} ${unit}; ${limit} allows ${figure(allowed)}`;
  return { reason, detail, excess: { limit, allowed, used: Math.round(used) } };
}

export function cpuLimit(limits: Limits, usedMs: number): Kill {
  return exceeding("cpu_limit", "runCpuMs", limits, usedMs, "it used CPU time:");
}

export function stuckLoop(limits: Limits, stillMs: number): Kill {
  return exceeding("stuck_loop", "stuckLoopMs", limits, stillMs, "its thread's event loop has not turned for");
}

export function memoryLimit(limits: Limits, bytes: number): Kill {
  return exceeding("memory_limit", "workerMemoryBytes", limits, bytes, "its thread's heap and external memory:");
}

/** For a thread that does not report what it uses: its memory as it was last reported. */
export function memoryUnanswered(limits: Limits, bytes: number, waitedMs: number): Kill {
  const { detail, ...kill } = memoryLimit(limits, bytes);
  return {
    ...kill,
    detail: `it has not told for ${figure(waitedMs)} ms what it uses, while its memory grew; ${detail}`,
  };
}

/** Which limit that is, and by how much, is known to whoever began the run. */
export function wallTime(): Kill {
  return { reason: "timeout", detail: "it passed its wall-time limit" };
}

/** V8 ended the thread by itself: `hardBytes` of heap. */
export function heapLimit(limits: Limits, hardBytes: number): Kill {
  return exceeding("memory_limit", "workerMemoryBytes", limits, hardBytes, "its thread's heap had no room left in");
}
