/** A value mapping that answers some values with what its thread measures, as JSON. */
import type { ValueLookup } from "../../../src/workers/engine/mappings.ts";

/** Milliseconds between two turns of the thread's loop: by the clock, and of the thread's own CPU time. */
export interface Pauses {
  readonly wall: number;
  readonly cpu: number;
}

/** Bytes, after a collection. */
export interface ThreadMemory {
  readonly heap: number;
  readonly buffers: number;
}

/** The values, none of them in the mapping. */
export const questions = { watch: "?watch", pauses: "?pauses", memory: "?memory", lookups: "?lookups" } as const;
/** Rows of the mapping under test have this in their first column. */
export const keyOf = (row: number): string => `status-${row}-of-the-crm`;
export const columns = ["crm", "erp"] as const;

const tickMs = 5;
const turns = 100_000;
// Taken before the thread gives it up.
const collect = globalThis.gc;
const { threadCpuUsage, memoryUsage } = process;
let watching: NodeJS.Timeout | undefined;
let longest: Pauses = { wall: 0, cpu: 0 };

export function probed(inner: ValueLookup, rows: number): ValueLookup {
  const answers: Readonly<Record<string, () => unknown>> = {
    [questions.watch]: watch,
    [questions.pauses]: pauses,
    [questions.memory]: memory,
    [questions.lookups]: () => lookups(inner, rows),
  };
  return {
    lookup(from, to, value, options) {
      const answer = typeof value === "string" && value.startsWith("?") ? answers[value] : undefined;
      return answer === undefined ? inner.lookup(from, to, value, options) : JSON.stringify(answer());
    },
  };
}

function cpuMs(): number {
  const { user, system } = threadCpuUsage.call(process);
  return (user + system) / 1000;
}

function watch(): boolean {
  clearInterval(watching);
  longest = { wall: 0, cpu: 0 };
  let [at, cpu] = [performance.now(), cpuMs()];
  watching = setInterval(() => {
    const [now, used] = [performance.now(), cpuMs()];
    longest = { wall: Math.max(longest.wall, now - at - tickMs), cpu: Math.max(longest.cpu, used - cpu) };
    [at, cpu] = [now, used];
  }, tickMs);
  return true;
}

function pauses(): Pauses {
  clearInterval(watching);
  return longest;
}

function memory(): ThreadMemory {
  // As often as the product does for a thread that has nothing to do: twice frees what finalizers hold, too.
  for (let i = 0; i < 2; i++) collect?.({ type: "major", execution: "sync", flavor: "last-resort" });
  const { heapUsed, arrayBuffers } = memoryUsage.call(process);
  return { heap: heapUsed, buffers: arrayBuffers };
}

/** Nanoseconds of CPU time of a lookup, as a step asks for it. */
function lookups(inner: ValueLookup, rows: number): number {
  const [from, to] = columns;
  const keys = Array.from({ length: 4096 }, (_, i) => keyOf((i * 7919) % rows));
  const look = (): void => {
    for (let turn = 0; turn < turns; turn++) inner.lookup(from, to, keys[turn & 4095], {});
  };
  // Once for the compiler.
  look();
  const began = cpuMs();
  look();
  return ((cpuMs() - began) * 1e6) / turns;
}
