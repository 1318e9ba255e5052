/** What the kernel tells of a process (Linux). */
import { readdirSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";

export async function threadsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/task`)).length;
}

/** Resident memory in bytes. */
export function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}

export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** The processes that it has started and that are not over. */
export function childrenOf(pid: number): readonly number[] {
  // Node forks from its main thread.
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
}
