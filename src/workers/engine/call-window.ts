/** How many of the last calls failed or were slow: by their number, or by time in buckets of a second (resilience4j: FixedSizeSlidingWindowMetrics, SlidingTimeWindowMetrics). */

export interface Tally {
  readonly calls: number;
  readonly failed: number;
  readonly slow: number;
}

export interface CallWindow {
  record(failed: boolean, slow: boolean): void;
  tally(): Tally;
}

const failure = 1;
const slowness = 2;

/** The last `size` calls. */
export function countWindow(size: number): CallWindow {
  const marks = new Uint8Array(size);
  let calls = 0;
  let at = 0;
  let failed = 0;
  let slow = 0;
  return {
    record(hasFailed, wasSlow) {
      const old = marks[at] as number;
      if (calls < size) calls += 1;
      failed += Number(hasFailed) - (old & failure);
      slow += Number(wasSlow) - (old & slowness) / slowness;
      marks[at] = (hasFailed ? failure : 0) | (wasSlow ? slowness : 0);
      at = (at + 1) % size;
    },
    tally: () => ({ calls, failed, slow }),
  };
}

const columns = 3;

/** The calls of the last `seconds` seconds; `now` in milliseconds. */
export function timeWindow(seconds: number, now: () => number): CallWindow {
  const counts = new Float64Array(seconds * columns);
  const sums = new Float64Array(columns);
  let newest = Math.floor(now() / 1000);

  const add = (second: number, column: number, count: number): void => {
    const at = (second % seconds) * columns + column;
    counts[at] = (counts[at] as number) + count;
    sums[column] = (sums[column] as number) + count;
  };
  /** The buckets of the seconds that have begun since are emptied: what they held is too old. */
  const advance = (): void => {
    const second = Math.floor(now() / 1000);
    const begun = Math.min(second - newest, seconds);
    for (let i = 0; i < begun; i++) {
      for (let column = 0; column < columns; column++) {
        add(second - i, column, -(counts[((second - i) % seconds) * columns + column] as number));
      }
    }
    newest = second;
  };
  return {
    record(failed, slow) {
      advance();
      add(newest, 0, 1);
      if (failed) add(newest, 1, 1);
      if (slow) add(newest, 2, 1);
    },
    tally() {
      advance();
      return { calls: sums[0] as number, failed: sums[1] as number, slow: sums[2] as number };
    },
  };
}
