/** What a runtime with many stream readers takes, from outside: its metrics, its memory, its descriptors. */
import { readdirSync } from "node:fs";
import { monotonicMs, pause } from "../../support/clock.ts";
import type { Crowd, FollowerReport } from "./crowd.ts";
import type { Holdings } from "./probe.ts";
import { type ProbedServer, startProbed } from "./probed-server.ts";
import { residentOf } from "./proc.ts";
import type { Server } from "./server.ts";

export interface Phase {
  readonly name: string;
  /** Trace events a second. */
  readonly events: number;
  readonly lagP99Ms: number;
  readonly delayP50: number;
  readonly delayP99: number;
  readonly runP99Ms: number;
  /** The most that was seen. */
  readonly residentMiB: number;
  /** At its end, after a garbage collection. */
  readonly held: Holdings;
}

export class WatchedServer {
  readonly server: Server;
  readonly holdings: () => Promise<Holdings>;

  static async start(): Promise<WatchedServer> {
    return new WatchedServer(await startProbed({}));
  }

  private constructor({ server, holdings }: ProbedServer) {
    this.server = server;
    this.holdings = holdings;
  }

  /** `work` goes on meanwhile. The route `storm` runs twenty times a second. The loop's lag is that since the last scrape. */
  async phase(name: string, crowd: Crowd, forSeconds: number, work: () => Promise<void>): Promise<Phase> {
    await crowd.tell({ do: "forget delays" });
    const before = newest((await crowd.tell({ do: "report" })).followers);
    await this.#metrics();
    const began = monotonicMs();
    const working = work();
    const residentMiB = await this.mostResident(forSeconds);
    await working;
    const report = await crowd.tell({ do: "report" });
    const took = (monotonicMs() - began) / 1000;
    const lag = figure(await this.#metrics(), "nodejs_eventloop_lag_p99_seconds");
    const limit = Math.min(500, Math.floor(took * 20));
    const answer = await this.server.api(`/runs?routeId=storm&status=completed&limit=${limit}`);
    const durations = ((await answer.json()) as { durationMs: number }[]).map(({ durationMs }) => durationMs);
    durations.sort((a, b) => a - b);
    return {
      name,
      events: Math.round((newest(report.followers) - before) / took),
      lagP99Ms: lag * 1000,
      delayP50: report.delayP50,
      delayP99: report.delayP99,
      runP99Ms: durations[Math.floor(durations.length * 0.99)] ?? Number.NaN,
      residentMiB,
      held: await this.holdings(),
    };
  }

  /** Waits until so many readers are left, and answers how many are. */
  async readersLeft(stream: "trace" | "log", count: number): Promise<number> {
    const end = monotonicMs() + 60_000;
    for (;;) {
      const left = figure(await this.#metrics(), `bulkhead_stream_subscribers{stream="${stream}"}`);
      if (left === count || monotonicMs() > end) return left;
      await pause(100);
    }
  }

  /** In MiB, over some seconds: between garbage collections as they come. */
  async mostResident(forSeconds: number): Promise<number> {
    let most = 0;
    for (const end = monotonicMs() + forSeconds * 1000; monotonicMs() < end; ) {
      most = Math.max(most, residentOf(this.server.pid) / 2 ** 20);
      await pause(250);
    }
    return most;
  }

  get descriptors(): number {
    return readdirSync(`/proc/${this.server.pid}/fd`).length;
  }

  async #metrics(): Promise<string> {
    return (await this.server.api("/metrics")).text();
  }
}

/** 0 when there is no such line. */
function figure(text: string, name: string): number {
  const at = text.indexOf(`\n${name} `);
  return at < 0 ? 0 : Number.parseFloat(text.slice(at + name.length + 2));
}

function newest(followers: readonly FollowerReport[]): number {
  return Math.max(...followers.map(({ trace, stalls, next }) => (trace && !stalls ? next : 0)));
}
