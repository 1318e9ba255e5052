/** What the kernel tells of a process (Linux). */
import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";

export async function threadsOf(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/task`)).length;
}

/** Resident memory in bytes. */
export function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
}
