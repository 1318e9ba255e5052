/** The memory of a process, as the system tells it. Linux only. */
import { readFileSync } from "node:fs";

/** undefined: this system does not tell. */
export function residentBytes(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? undefined : Number(found[1]) * 1024;
  } catch {
    return undefined;
  }
}
