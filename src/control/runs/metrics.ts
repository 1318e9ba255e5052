/** The runtime's counts, in plain fields; `GET /_api/metrics` collects them on demand. */

import type { Registry } from "prom-client";
import type { ConnectionUse } from "../../shared/connection.ts";
import type { FlowManifest } from "../../shared/manifest.ts";
import type { LossReason } from "../../shared/protocol.ts";
import type { Kill } from "../threads/kill.ts";
import type { MeteredThread, ThreadUse } from "../threads/metered-thread.ts";
import type { FailedEvent } from "./failed/losses.ts";
import type { ConsumerState } from "./flow-consumers.ts";
import { FlowStats } from "./flow-stats.ts";
import type { MetricSources } from "./metric-sources.ts";
import type { RunRecord } from "./run-record.ts";

/** A thread in native code, which cannot be interrupted: it ends when that code returns. */
export interface StuckThread {
  readonly flowId: string;
  readonly number: number;
  /** Milliseconds since its kill. */
  readonly sinceMs: number;
}

const stuckMs = 1000;

export interface FlowConsumer extends ConsumerState {
  readonly flowId: string;
}

export class Metrics {
  readonly #sources: MetricSources;
  /**
   * Counts by flow. Installed flows have series; deleted ones, and those that were never installed, have usage only.
   */
  readonly flows = new Map<string, FlowStats>();
  readonly #lost: Record<LossReason, { trace: number; log: number }> = {
    producer_overrun: { trace: 0, log: 0 },
    thread_ended: { trace: 0, log: 0 },
  };
  #registry: Promise<Registry> | undefined;

  constructor(sources: MetricSources) {
    this.#sources = sources;
  }

  runEnded(record: RunRecord): void {
    this.flows.get(record.owner.flowId)?.runEnded(record);
  }

  /** Counts the kill of a thread of the flow. */
  killed(flowId: string, kill: Kill): void {
    this.flows.get(flowId)?.killed(kill);
  }

  /** Counts a thread of the flow from now on, even if the flow is not installed in the end. */
  adopted(flowId: string, thread: MeteredThread): void {
    this.#statsOf(flowId).adopted(thread);
  }

  /** Counts what a thread of the flow has used since its last report. */
  used(flowId: string, use: ThreadUse): void {
    this.flows.get(flowId)?.used(use);
  }

  /** Begins to count the routes and endpoints of a thread that has compiled the flow. */
  compiled(flowId: string, thread: MeteredThread, manifest: FlowManifest): void {
    this.flows.get(flowId)?.compiled(thread, manifest);
  }

  /** The source of a route fails in this thread; `failure` "": it works again. */
  source(flowId: string, threadNumber: number, routeId: string, failure: string): void {
    this.flows.get(flowId)?.consumers.reported(threadNumber, routeId, failure);
  }

  /** Returns the consumers of this flow, or of all installed flows. */
  consumers(flowId?: string): FlowConsumer[] {
    const flows = [...this.flows].filter(([id, { installed }]) => installed && (flowId ?? id) === id);
    return flows.flatMap(([id, { consumers }]) => consumers.list().map((one) => ({ flowId: id, ...one })));
  }

  /** Counts a run that did not complete for the flow whose run has caused it. `routeId`: the route of the causing run. */
  childFailed(flowId: string, routeId: string): void {
    this.flows.get(flowId)?.figures.childFailed(routeId);
  }

  /** Counts a tick of one of the flow's timers that began no run. */
  tickSkipped(flowId: string): void {
    const stats = this.flows.get(flowId);
    if (stats !== undefined) stats.skippedTicks += 1;
  }

  /** Counts what became of failed messages of the flow. */
  failedMessages(flowId: string, event: FailedEvent, by: number): void {
    const stats = this.flows.get(flowId);
    if (stats !== undefined) stats.failedMessages.set(event, (stats.failedMessages.get(event) ?? 0) + by);
  }

  /** Counts events of a thread that were lost. */
  eventsLost(reason: LossReason, logs: number, traces: number): void {
    this.#lost[reason].log += logs;
    this.#lost[reason].trace += traces;
  }

  /** Begins the flow's series, unless it has them already. */
  flowDeployed(flowId: string): void {
    this.#statsOf(flowId).installed = true;
  }

  /** Ends the flow's series; its last runs count only in its usage. */
  flowDeleted(flowId: string): void {
    const stats = this.flows.get(flowId);
    if (stats === undefined) return;
    stats.installed = false;
    // Deleted flows are in the order of their deletion.
    this.flows.delete(flowId);
    this.flows.set(flowId, stats);
  }

  /** Returns how many threads flows have, and the threads that have not ended a second after their kill. */
  threads(): { readonly live: number; readonly stuck: readonly StuckThread[] } {
    let live = 0;
    const stuck: StuckThread[] = [];
    const now = performance.now();
    for (const [flowId, { threads }] of this.flows) {
      live += threads.size;
      for (const { number, killedAt } of threads.keys()) {
        if (killedAt > 0 && now - killedAt > stuckMs) stuck.push({ flowId, number, sinceMs: now - killedAt });
      }
    }
    return { live, stuck };
  }

  /** Yields the named connections of each thread, with its figures. */
  *connectionFigures(): Generator<{
    readonly flowId: string;
    readonly connections: readonly ConnectionUse[];
    readonly figures: Int32Array;
  }> {
    for (const [flowId, { figures }] of this.flows) for (const one of figures.connections()) yield { flowId, ...one };
  }

  #statsOf(flowId: string): FlowStats {
    let stats = this.flows.get(flowId);
    if (stats === undefined) {
      stats = new FlowStats();
      this.flows.set(flowId, stats);
    }
    return stats;
  }

  async metrics(): Promise<{ readonly contentType: string; readonly body: string }> {
    const counts = { flows: this.flows, lost: this.#lost };
    this.#registry ??= import("./metrics-registry.ts").then(({ createRegistry }) =>
      createRegistry(counts, this.#sources),
    );
    const registry = await this.#registry;
    for (const { figures } of this.flows.values()) figures.look();
    return { contentType: registry.contentType, body: await registry.metrics() };
  }
}
