/** A Prometheus histogram of what is counted elsewhere, filled when it is read: prom-client's own hashes labels at each observation. */
import { Histogram, type MetricObjectWithValues, type MetricValueWithName, type Registry } from "prom-client";

/** One series: counts per bucket, not cumulated, one more than there are bounds. */
export interface CountedSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly buckets: readonly number[];
  readonly sum: number;
}

interface About {
  readonly name: string;
  readonly help: string;
  /** Upper bounds; above the last one is +Inf. */
  readonly bounds: readonly number[];
  readonly labelNames: readonly string[];
  series(): Iterable<CountedSeries>;
}

type Values = MetricObjectWithValues<MetricValueWithName<string>>;

export class CountedHistogram extends Histogram<string> {
  readonly #about: About;
  /** Gives the parts of the answer that are the same for every histogram. */
  readonly #empty: Histogram<string>;

  constructor(registry: Registry, about: About) {
    const { name, help, labelNames } = about;
    super({ name, help, labelNames: [...labelNames], registers: [registry] });
    this.#about = about;
    this.#empty = new Histogram({ name, help, registers: [] });
  }

  override async get(): Promise<Values> {
    const values = [...this.#about.series()].flatMap((series) => samples(this.#about, series));
    return { ...(await this.#empty.get()), values };
  }

  /** What prom-client calls for the text form; the inherited one reads fields that are not filled. */
  getForPromString(): Promise<Values> {
    return this.get();
  }
}

function samples({ name, bounds }: About, { labels, buckets, sum }: CountedSeries): MetricValueWithName<string>[] {
  const values: MetricValueWithName<string>[] = [];
  let total = 0;
  buckets.forEach((count, i) => {
    total += count;
    const le = bounds[i] ?? "+Inf";
    values.push({ metricName: `${name}_bucket`, labels: { le, ...labels }, value: total });
  });
  values.push({ metricName: `${name}_sum`, labels: { ...labels }, value: sum });
  values.push({ metricName: `${name}_count`, labels: { ...labels }, value: total });
  return values;
}
