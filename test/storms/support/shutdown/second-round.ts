/** A second signal ends it at once, although a run is under way. */

import { monotonicMs, pause } from "../../../support/clock.ts";
import { webhook } from "../../../support/flows.ts";
import type { Round } from "../../shutdown.storm.ts";
import { startServer } from "../server.ts";
import { graceMs } from "./ending.ts";

export async function secondRound(round: number): Promise<Round> {
  const server = await startServer({ keepLines: true, env: { LIMIT_SHUTDOWN_MS: String(graceMs) } });
  try {
    await server.put("main", webhook("main", 'log: "began"', "delay: { constant: 60000 }"));
    const call = fetch(`${server.url}/api/main`, { method: "POST", body: "x" }).catch(() => undefined);
    await line(server.lines, '"began"');
    server.child.kill("SIGTERM");
    await line(server.lines, '"shutting down');
    const since = monotonicMs();
    const second = round % 2 === 0 ? "SIGTERM" : "SIGINT";
    // Two SIGINTs that a terminal and npm send together are one signal.
    if (second === "SIGINT") await pause(600);
    server.child.kill(second);
    const { code } = await server.exited;
    const ms = monotonicMs() - since;
    await call;
    const status = second === "SIGTERM" ? 143 : 130;
    return {
      figures: { "most ms to the end": ms },
      wrong: code === status ? [] : [`it ended with ${code}, not ${status}`],
    };
  } finally {
    await server.remove();
  }
}

async function line(lines: readonly string[], text: string): Promise<void> {
  while (!lines.some((one) => one.includes(text))) await pause(5);
}
