/** What the runtime counts, in plain fields; `GET /_api/metrics` has them collected when somebody asks. */
import type { Registry } from "prom-client";
import { FlowStats } from "./flow-stats.ts";
import type { RunRecord } from "./run-record.ts";

export interface FlowGauges {
  readonly flowId: string;
  /** Runs under way, runs that wait for a thread, threads. */
  readonly inflight: number;
  readonly queued: number;
  readonly threads: number;
}

export interface StreamGauges {
  readonly name: "trace" | "log";
  readonly subscribers: number;
  /** Events that its readers were too slow for. */
  readonly dropped: number;
}

/** Where the figures of the moment come from; asked at each scrape. */
export interface MetricSources {
  flows(): Iterable<FlowGauges>;
  standbyThreads(): number;
  streams(): Iterable<StreamGauges>;
}

export class Metrics {
  readonly #sources: MetricSources;
  readonly #flows = new Map<string, FlowStats>();
  readonly #uncredited = { trace: 0, log: 0 };
  #registry: Promise<Registry> | undefined;

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  runEnded(record: RunRecord): void {
    this.#stats(record.owner.flowId).runEnded(record.status, record.durationMs);
  }

  /** A thread of the flow was killed. */
  killed(flowId: string, reason: string): void {
    const { kills } = this.#stats(flowId);
    kills.set(reason, (kills.get(reason) ?? 0) + 1);
  }

  /** A tick of one of the flow's timers began no run. */
  tickSkipped(flowId: string): void {
    this.#stats(flowId).skippedTicks += 1;
  }

  /** A thread reported events that it could not send. */
  uncredited(logs: number, traces: number): void {
    this.#uncredited.log += logs;
    this.#uncredited.trace += traces;
  }

  /** Ends the flow's series: for a deleted flow, once its last run is over. */
  flowDeleted(flowId: string): void {
    this.#flows.delete(flowId);
  }

  async metrics(): Promise<{ readonly contentType: string; readonly body: string }> {
    const counts = { flows: this.#flows, uncredited: this.#uncredited };
    this.#registry ??= import("./metrics-registry.ts").then(({ createRegistry }) =>
      createRegistry(counts, this.#sources),
    );
    const registry = await this.#registry;
    return { contentType: registry.contentType, body: await registry.metrics() };
  }

  #stats(flowId: string): FlowStats {
    let stats = this.#flows.get(flowId);
    if (stats === undefined) {
      stats = new FlowStats();
      this.#flows.set(flowId, stats);
    }
    return stats;
  }
}
