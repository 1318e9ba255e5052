/** What the metrics are made of: counts of flows, and the sources of current figures. */

import type { LossReason } from "../../shared/protocol.ts";
import type { FailedTotals } from "../state/failed-operations.ts";
import type { StateCounts } from "../state/state-counts.ts";
import type { PoolStats } from "../threads/flow-pools.ts";
import type { FlowStats } from "./flow-stats.ts";
import type { MainLoop, ProcessMemory } from "./process-health.ts";

/** The installed flows. */
export type InstalledFlows = Iterable<readonly [flow: string, stats: FlowStats]>;

export interface RunCounts {
  readonly flows: ReadonlyMap<string, FlowStats>;
  /** How many log and trace events of threads never arrived. */
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
  /** How many events were dropped because a reader was too slow. */
  readonly dropped: number;
}

export interface DenialCount {
  readonly flow: string;
  readonly code: string;
  readonly mode: string;
  readonly count: number;
}

/** The sources of current figures, read at each scrape. */
export interface MetricSources {
  flows(): Iterable<FlowGauges>;
  standbyThreads(): number;
  threads(): { readonly live: number; readonly standby: number; readonly stuck: number };
  stats(): Pick<PoolStats, "busyThreads" | "waitingFlows" | "hosts" | "hostRestarts">;
  readonly memory: Pick<ProcessMemory, "most" | "over">;
  readonly mainLoop: MainLoop;
  /** The bytes in flight of all flows, including deleted ones whose last runs go on. */
  bytesInFlight(): number;
  /** The number of idempotency keys, and the bytes of the answers kept for them. */
  idempotency(): { readonly size: number; readonly bytes: number };
  /** The number of open test sessions. */
  testSessions(): number;
  streams(): Iterable<StreamGauges>;
  /** The counts of the state store. */
  state(): Pick<StateCounts, "flows" | "commits">;
  /** How many failed messages each flow has kept, and their bytes. */
  failedMessages(): Iterable<readonly [flowId: string, totals: FailedTotals]>;
  /** The processes of embedded databases, by group; `pid` undefined: none runs now. */
  embedded(): readonly { readonly pid: number | undefined; readonly memoryBytes: number; readonly restarts: number }[];
  /** The states of named connections. */
  connections(): Iterable<{
    readonly name: string;
    readonly kind: string;
    readonly flowId?: string;
    readonly state: {
      readonly open: number;
      readonly idle: number;
      readonly waiting: number;
      readonly errors: number;
      readonly failingSince: string | null;
    };
  }>;
  /** How many calls access policies have denied, or, when they only report, would have. */
  denials(): Iterable<DenialCount>;
}
