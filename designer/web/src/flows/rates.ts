/** Runs a minute, from counters that only grow: the difference over the last minute of what was seen. */
const windowMs = 60_000;

interface Sample {
  readonly at: number;
  readonly counts: ReadonlyMap<string, number>;
}

export class RateMeter {
  #samples: Sample[] = [];

  /** Takes what was seen at a time, in ms. A time that was seen before, or an earlier one, counts for nothing. */
  add(at: number, counts: ReadonlyMap<string, number>): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && at <= last.at) return;
    this.#samples.push({ at, counts });
    // One sample from before the window stays: the difference to it covers the whole window.
    while ((this.#samples[1]?.at ?? at) <= at - windowMs) this.#samples.shift();
  }

  /** undefined: it was seen once only, or its counter began anew, as it does with a restart. */
  perMinute(name: string): number | undefined {
    const last = this.#samples.at(-1);
    const now = last?.counts.get(name);
    const first = this.#samples.find(({ counts }) => counts.has(name));
    const then = first?.counts.get(name);
    if (last === undefined || first === undefined || first === last) return undefined;
    if (now === undefined || then === undefined || now < then) return undefined;
    return ((now - then) * 60_000) / (last.at - first.at);
  }
}
