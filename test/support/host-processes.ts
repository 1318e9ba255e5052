/** Finds the host processes of the runtimes in this process, or in another. Linux only. */
import { readdirSync, readFileSync } from "node:fs";

export function hostsOf(parent = process.pid): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent && argumentsOf(Number(name)).some(isHost))
    .map(Number);
}

export function argumentsOf(pid: number): string[] {
  return textOf(`/proc/${pid}/cmdline`).split("\0");
}

export function environmentOf(pid: number): string {
  return readFileSync(`/proc/${pid}/environ`, "utf8");
}

/** Whether a process is alive; one that has ended and waits for its parent is not. */
export function isAlive(pid: number): boolean {
  const [, state = ""] = /^\d+ \(.*\) (\w)/s.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  return state !== "" && state !== "Z";
}

function parentOf(pid: string): number {
  return Number(/^\d+ \(.*\) \w (\d+)/s.exec(textOf(`/proc/${pid}/stat`))?.[1]);
}

function isHost(argument: string): boolean {
  return /host-process\.[jt]s$/.test(argument);
}

/** Reads a text; "": the process is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
