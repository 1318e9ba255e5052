/** What a process and those that it has started take together, as the kernel tells it (Linux). */
import { readdirSync } from "node:fs";
import { childrenOf, descriptorsOf } from "../../test/storms/support/proc.ts";
import { cpuMsOf, rssOf } from "./server-process.ts";

export interface TreeHoldings {
  readonly processes: number;
  /** Bytes; pages that processes share count for each of them. */
  readonly resident: number;
  readonly descriptors: number;
  readonly threads: number;
}

/** The process itself is the first. */
export function treeOf(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

export function holdingsOf(pid: number): TreeHoldings {
  const tree = treeOf(pid);
  const sum = (of: (one: number) => number): number => tree.reduce((total, one) => total + of(one), 0);
  return {
    processes: tree.length,
    resident: sum(rssOf),
    descriptors: sum(descriptorsOf),
    threads: sum((one) => readdirSync(`/proc/${one}/task`).length),
  };
}

/** CPU time of all of them so far, in milliseconds. Those that have ended are not in it. */
export function treeCpuMs(pid: number): number {
  return treeOf(pid).reduce((total, one) => total + cpuMsOf(one), 0);
}
