/** Counts of the state store, for metrics. */
import { commitBounds, type FlowTotal, type WorkReport } from "./work-report.ts";

export interface FlowStateCounts {
  /** As of the last report of the state thread, at most a second old. */
  keys: number;
  bytes: number;
  /** Requests of its threads by operation, and those that have failed by code. */
  readonly operations: Map<string, number>;
  readonly failures: Map<string, number>;
}

export class StateCounts {
  readonly flows = new Map<string, FlowStateCounts & { incarnation: number }>();
  readonly commits = { buckets: new Array<number>(commitBounds.length + 1).fill(0), seconds: 0 };

  asked(flowId: string, operation: string): void {
    const { operations } = this.#of(flowId);
    operations.set(operation, (operations.get(operation) ?? 0) + 1);
  }

  failed(flowId: string, code: string): void {
    const { failures } = this.#of(flowId);
    failures.set(code, (failures.get(code) ?? 0) + 1);
  }

  /** Adds what the state thread reports. */
  worked({ buckets, seconds, totals }: WorkReport): void {
    for (const [place, count] of buckets.entries()) {
      this.commits.buckets[place] = (this.commits.buckets[place] ?? 0) + count;
    }
    this.commits.seconds += seconds;
    for (const total of totals) this.#holds(total);
  }

  /** The counts of a flow that is made again begin anew; what an older one still holds until it is removed is not counted. */
  #holds({ flowId, incarnation, keys, bytes }: FlowTotal): void {
    const counts = this.#of(flowId);
    if (incarnation < counts.incarnation) return;
    Object.assign(counts, { incarnation, keys, bytes });
  }

  #of(flowId: string): FlowStateCounts & { incarnation: number } {
    let counts = this.flows.get(flowId);
    if (counts === undefined) {
      counts = { incarnation: 0, keys: 0, bytes: 0, operations: new Map(), failures: new Map() };
      this.flows.set(flowId, counts);
    }
    return counts;
  }
}
