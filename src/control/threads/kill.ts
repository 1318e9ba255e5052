/** The reasons why threads are killed, each with the limit and the figures. */
import { defaultCeiling, howToRaise, type LimitName, type Limits, limitTable } from "../../shared/limits.ts";

/**
 * Why a thread was ended: `timeout`, `cpu_limit`, `stuck_loop` and `memory_limit` are limits of its flow; `flood`: it sent more than
 * control can read; `exit`: it ended by itself, or did not keep to the protocol; `host`: the process that it was in has ended.
 */
export type KillReason =
  | "timeout"
  | "cpu_limit"
  | "stuck_loop"
  | "memory_limit"
  | "flood"
  | "exit"
  | "host"
  | "redeploy";

/** V8's own limit of a heap is this many times what a flow may use, so that supervision stops a run first: exceeding V8's limit may end the process. */
export const hardFactor = 4;

/** A limit that was exceeded; `allowed` and `used` are in the limit's unit. */
export interface LimitExcess {
  readonly limit: LimitName;
  readonly allowed: number;
  readonly used: number;
}

export interface Kill {
  readonly reason: KillReason;
  /** For people: what happened. */
  readonly detail: string;
  /** The limit that was exceeded, if it was one. */
  readonly excess?: LimitExcess;
  /** true: the flow has not caused it, and is not quarantined for it. */
  readonly blameless?: boolean;
}

/** 10132.4 -> `10 132` */
export function figure(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, " ");
}

function exceeding(reason: KillReason, limit: LimitName, limits: Limits, used: number, what: string): Kill {
  const allowed = limits[limit];
  const { unit } = limitTable[limit];
  const most = defaultCeiling(limit);
  const ceiling = most === undefined ? "" : ` (up to ${figure(most)}, unless the operator has set another ceiling)`;
  const detail = `${what} ${figure(used)} ${unit}; ${limit} allows ${figure(allowed)}: ${howToRaise(limit)}${ceiling}`;
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

/** For a thread that does not answer: `bytes` is its memory as of its last answer. */
export function memoryUnanswered(limits: Limits, bytes: number, waitedMs: number): Kill {
  const { detail, ...kill } = memoryLimit(limits, bytes);
  return {
    ...kill,
    detail: `it has not reported for ${figure(waitedMs)} ms what it uses, while its memory grew; ${detail}`,
  };
}

/** A run exceeded its wall-time limit. Which limit that is depends on its trigger, so the run fills it in. */
export function wallTime(): Kill {
  return { reason: "timeout", detail: "it passed its wall-time limit" };
}

/** V8 has ended the thread because its heap reached V8's own limit. */
export function heapLimit(limits: Limits): Kill {
  const hardBytes = hardFactor * limits.workerMemoryBytes;
  return exceeding("memory_limit", "workerMemoryBytes", limits, hardBytes, "its thread's heap had no room left in");
}
