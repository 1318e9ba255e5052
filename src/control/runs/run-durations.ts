/** A Prometheus histogram of run durations that is filled when it is read: prom-client's own hashes labels at each observation. */
import { Histogram, type MetricObjectWithValues, type MetricValueWithName, type Registry } from "prom-client";
import { durationBounds, type FlowStats } from "./flow-stats.ts";

type Label = "flow" | "le";

const about = {
  name: "bulkhead_run_duration_seconds",
  help: "Time from a run's start to its end, waiting included",
};

export class RunDurations extends Histogram<Label> {
  readonly #flows: ReadonlyMap<string, FlowStats>;
  /** Gives the parts of the answer that are the same for every histogram. */
  readonly #empty = new Histogram<Label>({ ...about, registers: [] });

  constructor(registry: Registry, flows: ReadonlyMap<string, FlowStats>) {
    super({ ...about, labelNames: ["flow"], registers: [registry] });
    this.#flows = flows;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    return { ...(await this.#empty.get()), values: [...this.#flows].flatMap(([flow, stats]) => samples(flow, stats)) };
  }

  /** What prom-client calls for the text form; the inherited one reads fields that are not filled. */
  getForPromString(): Promise<MetricObjectWithValues<MetricValueWithName<Label>>> {
    return this.get();
  }
}

function samples(flow: string, stats: FlowStats): MetricValueWithName<Label>[] {
  const values: MetricValueWithName<Label>[] = [];
  let total = 0;
  stats.buckets.forEach((runs, i) => {
    total += runs;
    const le = durationBounds[i] ?? "+Inf";
    values.push({ metricName: `${about.name}_bucket`, labels: { le, flow }, value: total });
  });
  values.push({ metricName: `${about.name}_sum`, labels: { flow }, value: stats.seconds });
  values.push({ metricName: `${about.name}_count`, labels: { flow }, value: total });
  return values;
}
