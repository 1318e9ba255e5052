/** Waits for a server's end, which has its time. */
import { monotonicMs } from "../../../support/clock.ts";
import type { Server } from "../server.ts";

/** LIMIT_SHUTDOWN_MS of the rounds. */
export const graceMs = 5000;

export interface Ending {
  readonly ms: number;
  readonly wrong: readonly string[];
}

/** How late it may end after its time is over. */
export const lateMs = 1000;

/** It ends with status 0. */
export async function ending({ exited, problems }: Server, since: number): Promise<Ending> {
  const { code, signal } = await exited;
  const ms = monotonicMs() - since;
  const wrong: string[] = [];
  if (code !== 0) wrong.push(`it ended with ${code ?? signal}: ${problems()}`);
  return { ms, wrong };
}
