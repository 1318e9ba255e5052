/** The runtime in a process whose disk stops, fails or ends it as planned. */
import type { ChildProcess } from "node:child_process";
import { on, once } from "node:events";
import type { Failpoint } from "../../control/stores/failpoints.ts";
import { after } from "../../support/clock.ts";
import type { ChangePlan, DiskNews, Stop } from "./failing-disk.ts";
import { loaded } from "./loaded.ts";
import { type Server, startServer } from "./server.ts";

const quietMs = 60_000;
const preload = new URL("failing-disk.ts", import.meta.url).href;

export interface DiskServer extends Server {
  /** For the changes to come; the operations so far, by flow id, and of the boot. */
  plan(plans: readonly ChangePlan[]): Promise<Readonly<Record<string, readonly Failpoint[]>>>;
  /** Resolves when so many changes stand still; rejects, with those that do, when no other has come to it for a minute. */
  stopped(count: number): Promise<void>;
}

/** Resolves when all its flows are loaded. */
export async function startOnDisk(directory: string): Promise<DiskServer> {
  const server = await startServer(options(directory));
  await loaded(server.url);
  const { child } = server;
  return {
    ...server,
    async plan(plans) {
      const answer = once(child, "message") as Promise<[DiskNews]>;
      child.send(plans);
      const [news] = await answer;
      return "passed" in news ? news.passed : {};
    },
    async stopped(count) {
      const ended = server.exited.then(({ code }) => {
        throw new Error(`it ended with ${code}: ${server.problems()}`);
      });
      await Promise.race([allStopped(child, count), ended]);
    },
  };
}

async function allStopped(child: ChildProcess, count: number): Promise<void> {
  const still = new Set<string>();
  const quiet = new AbortController();
  const wait = (): (() => void) => after(quietMs, () => quiet.abort());
  let stop = wait();
  try {
    for await (const [news] of on(child, "message", { signal: quiet.signal }) as AsyncIterable<[DiskNews]>) {
      if ("stopped" in news) still.add(news.stopped);
      if (still.size === count) return;
      stop();
      stop = wait();
    }
  } catch (error) {
    if (!quiet.signal.aborted) throw error;
    throw new Error(`${still.size} of ${count} changes stand still: ${[...still].sort().join(" ")}`, { cause: error });
  } finally {
    stop();
  }
}

/** A boot that is killed at one of its operations, which may be before it has told that it listens. */
export async function endOfBoot(directory: string, stop: Stop): Promise<void> {
  const server = await startServer(options(directory, stop)).catch((error: unknown) => {
    if (!String(error).includes("SIGKILL")) throw error;
  });
  const exit = await server?.exited;
  if (exit !== undefined && exit.signal !== "SIGKILL") throw new Error(`the boot ended with ${exit.code}`);
}

function options(directory: string, stop?: Stop) {
  const plan: ChangePlan = { flowId: "", ...(stop !== undefined && { stop }) };
  const env = { LIMIT_STANDBY_THREADS: "1", STORM_BOOT_PLAN: JSON.stringify(plan) };
  return { directory, entry: "src/control/main.ts", flags: ["--import", preload], ipc: true, env };
}
