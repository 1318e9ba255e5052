/** What the runtime counts, in plain fields; `GET /_api/metrics` has them collected when somebody asks. */
import type { Registry } from "prom-client";
import type { LossReason } from "../../shared/protocol.ts";
import { FlowStats } from "./flow-stats.ts";
import type { RunRecord } from "./run-record.ts";

export interface FlowGauges {
  readonly flowId: string;
  /** Runs under way, runs that wait for a thread, threads. */
  readonly inflight: number;
  readonly queued: number;
  readonly threads: number;
  readonly bytesInFlight: number;
}

export interface StreamGauges {
  readonly name: "trace" | "log";
  readonly subscribers: number;
  /** Events that its readers were too slow for. */
  readonly dropped: number;
}

export interface DenialCount {
  readonly flow: string;
  readonly code: string;
  readonly mode: string;
  readonly count: number;
}

/** Where the figures of the moment come from; asked at each scrape. */
export interface MetricSources {
  flows(): Iterable<FlowGauges>;
  standbyThreads(): number;
  /** Of all flows, those too that are gone while their last runs go on. */
  bytesInFlight(): number;
  /** Idempotency keys, and what their answers hold. */
  idempotency(): { readonly size: number; readonly bytes: number };
  /** Those that are open. */
  testSessions(): number;
  streams(): Iterable<StreamGauges>;
  /** Calls that access policies have denied, or would have. */
  denials(): Iterable<DenialCount>;
}

export class Metrics {
  readonly #sources: MetricSources;
  readonly #flows = new Map<string, FlowStats>();
  readonly #lost: Record<LossReason, { trace: number; log: number }> = {
    producer_overrun: { trace: 0, log: 0 },
    thread_ended: { trace: 0, log: 0 },
  };
  #registry: Promise<Registry> | undefined;

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  runEnded(record: RunRecord): void {
    this.#flows.get(record.owner.flowId)?.runEnded(record.status, record.durationMs);
  }

  /** A thread of the flow was killed. */
  killed(flowId: string, reason: string): void {
    const kills = this.#flows.get(flowId)?.kills;
    kills?.set(reason, (kills.get(reason) ?? 0) + 1);
  }

  /** A tick of one of the flow's timers began no run. */
  tickSkipped(flowId: string): void {
    const stats = this.#flows.get(flowId);
    if (stats !== undefined) stats.skippedTicks += 1;
  }

  /** Events of a thread will never arrive. */
  eventsLost(reason: LossReason, logs: number, traces: number): void {
    this.#lost[reason].log += logs;
    this.#lost[reason].trace += traces;
  }

  /** Begins the flow's series, unless it has them already. */
  flowDeployed(flowId: string): void {
    if (!this.#flows.has(flowId)) this.#flows.set(flowId, new FlowStats());
  }

  /** Ends the flow's series: what its last runs do after that is not counted. */
  flowDeleted(flowId: string): void {
    this.#flows.delete(flowId);
  }

  async metrics(): Promise<{ readonly contentType: string; readonly body: string }> {
    const counts = { flows: this.#flows, lost: this.#lost };
    this.#registry ??= import("./metrics-registry.ts").then(({ createRegistry }) =>
      createRegistry(counts, this.#sources),
    );
    const registry = await this.#registry;
    return { contentType: registry.contentType, body: await registry.metrics() };
  }
}
