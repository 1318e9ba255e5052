/** A thread of a host process as Linux tells of it, from outside: other systems tell nothing. */
import { existsSync, readFileSync } from "node:fs";

/** Of the figures in `stat`, on every machine that Node runs on. */
const tickMs = 10;

/** Whether the process has a thread of this id. */
export function hasThread(pid: number, systemId: number): boolean {
  return existsSync(`/proc/${pid}/task/${systemId}`);
}

/** The CPU time that it has used, in steps of 10 ms; undefined: not known. */
export function cpuMsOf(pid: number, systemId: number): number | undefined {
  try {
    // Behind its name, which may hold blanks and brackets: `utime` and `stime` are the fields 14 and 15.
    const fields = readFileSync(`/proc/${pid}/task/${systemId}/stat`, "latin1").split(") ").pop()?.split(" ") ?? [];
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isFinite(ticks) ? ticks * tickMs : undefined;
  } catch {
    return undefined;
  }
}
