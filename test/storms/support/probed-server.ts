/** A runtime that tells what it holds: heap, descriptors, threads, timers, after a garbage collection and when no thread boots. */
import { once } from "node:events";
import { pause } from "../../support/clock.ts";
import type { Holdings } from "./probe.ts";
import { type Server, startServer } from "./server.ts";

const probe = new URL("probe.ts", import.meta.url).href;

/**
 * Functions get their feedback at once and are never compiled to machine code: both go on for thousands of calls, stay on the
 * heap, and would look like a leak of a few hundred bytes a call.
 */
const nothingCompiled = ["--no-lazy-feedback-allocation", "--no-sparkplug", "--no-maglev", "--no-opt"];

export interface ProbedServer {
  readonly server: Server;
  /** Waits until the standby threads are there. */
  holdings(): Promise<Holdings>;
}

export async function startProbed(env: Readonly<Record<string, string>>): Promise<ProbedServer> {
  const server = await startServer({ env, flags: ["--expose-gc", ...nothingCompiled, "--import", probe], ipc: true });
  const standby = Number(env["LIMIT_STANDBY_THREADS"] ?? "2");
  async function quiet(): Promise<void> {
    for (;;) {
      const metrics = await (await server.api("/metrics")).text();
      const figure = (name: string): number => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(metrics)?.[1] ?? 0);
      // Each host process has standby threads of its own.
      if (figure("bulkhead_standby_threads") === standby * (1 + figure("bulkhead_hosts"))) return;
      await pause(20);
    }
  }
  return {
    server,
    async holdings() {
      await quiet();
      server.child.send("what do you hold?");
      const [held] = (await once(server.child, "message")) as [Holdings];
      return held;
    },
  };
}
