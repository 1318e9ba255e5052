/** What a server's processes take: resident memory of all, and how late its main loop is. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { every } from "../../../support/clock.ts";
import type { Lag } from "../lag-probe.ts";
import { residentOf } from "../proc.ts";
import type { Server } from "../server.ts";

const everyMs = 25;

export interface Resident {
  /** Bytes, of the server and its host processes: the most that was seen, and the last. */
  readonly most: number;
  readonly last: number;
}

/** Bytes. */
export function residentOfAll(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + residentOrNone(one), 0);
}

/** Watches while `work` goes on. */
export async function residentDuring<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ readonly resident: Resident; readonly result: T }> {
  let most = 0;
  let last = 0;
  const look = (): void => {
    last = residentOfAll(pid);
    most = Math.max(most, last);
  };
  const stop = every(everyMs, look);
  try {
    const result = await work();
    look();
    return { resident: { most, last }, result };
  } finally {
    stop();
  }
}

/** Since it was asked last. undefined: it is gone. */
export async function lagOf({ child, exited }: Server): Promise<Lag | undefined> {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  const answer = once(child, "message") as Promise<[Lag]>;
  child.send("how late are you?", () => {});
  const told = await Promise.race([answer, exited]);
  return Array.isArray(told) ? told[0] : undefined;
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** One that has just ended has none. */
function residentOrNone(pid: number): number {
  try {
    return residentOf(pid) || 0;
  } catch {
    return 0;
  }
}
