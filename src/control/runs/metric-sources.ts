/** What the metrics are made of: counts of flows, and figures of the moment. */
import type { LossReason } from "../../shared/protocol.ts";
import type { PoolStats } from "../threads/flow-pools.ts";
import type { FlowStats } from "./flow-stats.ts";
import type { MainLoop, ProcessMemory } from "./process-health.ts";

/** Flows that are installed. */
export type Installed = Iterable<readonly [flow: string, stats: FlowStats]>;

export interface Counts {
  readonly flows: ReadonlyMap<string, FlowStats>;
  /** Log and trace events of threads that never arrived. */
  readonly lost: Readonly<Record<LossReason, { readonly trace: number; readonly log: number }>>;
}

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
  threads(): { readonly live: number; readonly standby: number; readonly stuck: number };
  stats(): Pick<PoolStats, "busyThreads" | "waitingFlows" | "hosts" | "hostRestarts">;
  readonly memory: Pick<ProcessMemory, "most" | "over">;
  readonly mainLoop: MainLoop;
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
