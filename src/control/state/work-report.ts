/** What the state thread reports of its work, for metrics: how long commits took, and how much flows hold. At most once a second. */

/** Upper bounds of the histogram of commits, in seconds; above the last one is +Inf. */
export const commitBounds: readonly number[] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];

/** How much the repositories of a flow hold together. */
export interface FlowTotal {
  readonly flowId: string;
  readonly incarnation: number;
  readonly keys: number;
  readonly bytes: number;
}

export interface WorkReport {
  /** New commits by bucket, not cumulated; one more than there are bounds. */
  readonly buckets: readonly number[];
  /** Their time together. */
  readonly seconds: number;
  /** Flows whose totals have changed. */
  readonly totals: readonly FlowTotal[];
}

export class WorkLog {
  #buckets: number[] = none();
  #seconds = 0;
  readonly #totals = new Map<string, FlowTotal>();

  get isEmpty(): boolean {
    return this.#totals.size === 0 && this.#buckets.every((count) => count === 0);
  }

  committed(seconds: number): void {
    const bucket = commitBounds.findIndex((bound) => seconds <= bound);
    const place = bucket < 0 ? commitBounds.length : bucket;
    this.#buckets[place] = (this.#buckets[place] ?? 0) + 1;
    this.#seconds += seconds;
  }

  holds(total: FlowTotal): void {
    this.#totals.set(`${total.flowId}\n${total.incarnation}`, total);
  }

  /** Returns what has come since the last report. */
  take(): WorkReport {
    const report = { buckets: this.#buckets, seconds: this.#seconds, totals: [...this.#totals.values()] };
    this.#buckets = none();
    this.#seconds = 0;
    this.#totals.clear();
    return report;
  }
}

function none(): number[] {
  return new Array<number>(commitBounds.length + 1).fill(0);
}
