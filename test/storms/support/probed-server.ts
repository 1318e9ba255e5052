/** A runtime that tells what it holds: heap, descriptors, threads, timers, after a garbage collection and when no thread boots. */
import { once } from "node:events";
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
  const standby = env["LIMIT_STANDBY_THREADS"] ?? "2";
  async function quiet(): Promise<void> {
    const line = `bulkhead_standby_threads ${standby}\n`;
    while (!(await (await server.api("/metrics")).text()).includes(line)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
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
