/** Figures of host processes and their threads from Linux's /proc; on other systems they are not known. */
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds of a clock tick, the unit of times in `stat`: the same on every machine that Node supports. */
const tickMs = 10;

/** Whether the process has a thread of this id. */
export function hasThread(pid: number, systemId: number): boolean {
  return existsSync(`/proc/${pid}/task/${systemId}`);
}

/** Returns the CPU time that the thread has used, in steps of 10 ms; undefined: not known. */
export function cpuMsOf(pid: number, systemId: number): number | undefined {
  try {
    // Fields are counted from the end of the name, which may contain blanks and brackets: `utime` and `stime` are the fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/task/${systemId}/stat`, "latin1").split(") ").pop()?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the resident memory of a process; undefined: not known. */
export function residentBytes(pid: number): number | undefined {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return found === null ? undefined : Number(found[1]) * 1024;
  } catch {
    return undefined;
  }
}
