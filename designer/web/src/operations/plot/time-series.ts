/** Values over time: some lines with the same times. What was not known at a time is NaN. */
export interface Plotted {
  /** Ms since 1970, ascending. */
  readonly times: readonly number[];
  /** By name; as many values as there are times. */
  readonly lines: ReadonlyMap<string, readonly number[]>;
}

export class TimeSeries implements Plotted {
  readonly times: number[] = [];
  readonly lines = new Map<string, number[]>();
  readonly #most: number;

  /** `most`: how many times are kept; the oldest go first. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Lines of which nothing is known any more are dropped. */
  add(at: number, values: ReadonlyMap<string, number>): void {
    this.times.push(at);
    for (const name of values.keys())
      if (!this.lines.has(name)) this.lines.set(name, new Array<number>(this.times.length - 1).fill(Number.NaN));
    for (const [name, line] of this.lines) line.push(values.get(name) ?? Number.NaN);
    if (this.times.length <= this.#most) return;
    this.times.shift();
    for (const [name, line] of this.lines) {
      line.shift();
      if (line.every(Number.isNaN)) this.lines.delete(name);
    }
  }
}

/** The names of the lines that are highest in the mean; of equal ones those that are so in the next of `plots`. */
export function largest(plots: readonly Plotted[], most: number): readonly string[] {
  const names = [...new Set(plots.flatMap(({ lines }) => [...lines.keys()]))].sort();
  const means = new Map(names.map((name) => [name, plots.map(({ lines }) => meanOf(lines.get(name) ?? []))]));
  const byMeans = (a: string, b: string): number => {
    const [ofA, ofB] = [means.get(a) ?? [], means.get(b) ?? []];
    const place = ofA.findIndex((mean, at) => mean !== ofB[at]);
    return place === -1 ? 0 : (ofB[place] ?? 0) - (ofA[place] ?? 0);
  };
  return names.sort(byMeans).slice(0, most);
}

/** The lines of these names, in their order, and all others as one line with the name `rest`, if there are any. */
export function onlyOf({ times, lines }: Plotted, names: readonly string[], rest?: string): Plotted {
  const shown = names.flatMap((name) => {
    const line = lines.get(name);
    return line === undefined ? [] : [[name, line] as const];
  });
  const others = [...lines].filter(([name]) => !names.includes(name)).map(([, line]) => line);
  if (rest === undefined || others.length === 0) return { times, lines: new Map(shown) };
  const sum = times.map((_, at) => {
    const known = others.map((line) => line[at] ?? Number.NaN).filter((value) => !Number.isNaN(value));
    return known.length === 0 ? Number.NaN : known.reduce((total, value) => total + value, 0);
  });
  return { times, lines: new Map([...shown, [rest, sum]]) };
}

function meanOf(line: readonly number[]): number {
  const known = line.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? 0 : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/**
 * How fast counters grow: `count` is the sum so far. A counter that has become smaller began anew, as with a restart of
 * the runtime: nothing is known of that time.
 */
export class Rates {
  #before: { readonly at: number; readonly counts: ReadonlyMap<string, number> } | undefined;

  /** @returns what each counter has gained for each ms since the last call */
  take(at: number, counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    const before = this.#before;
    this.#before = { at, counts };
    if (before === undefined || at <= before.at) return new Map();
    return new Map(
      [...counts].flatMap(([name, count]) => {
        const then = before.counts.get(name);
        return then === undefined || count < then ? [] : [[name, (count - then) / (at - before.at)] as const];
      }),
    );
  }
}
