/** The series of routes and of the endpoints that they call. */

import {
  Counter,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValueWithName,
  type Registry,
} from "prom-client";
import { EndpointFigure, RouteFigure } from "../../shared/figures.ts";
import type { InstalledFlows } from "./metric-sources.ts";

export function registerFigures(registry: Registry, flows: InstalledFlows): void {
  const registers = [registry];
  new Counter({
    name: "bulkhead_route_runs_total",
    help: "Runs that a route began and that have ended",
    labelNames: ["flow", "route", "status"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [route, { runs }] of figures.routes) {
          for (const [status, count] of Object.entries(runs)) {
            // The series of a rarer status begins with the first run that ends so.
            if (count > 0 || status === "completed" || status === "failed") this.inc({ flow, route, status }, count);
          }
        }
      }
    },
  });
  new Counter({
    name: "bulkhead_route_child_failures_total",
    help: "Runs that a route's runs have caused (taps, queues, groups, calls of other flows) and that did not complete",
    labelNames: ["flow", "route"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [route, { childFailures }] of figures.routes) this.inc({ flow, route }, childFailures);
      }
    },
  });
  for (const [name, help, figure] of routeCounters) {
    new Counter({
      name,
      help,
      labelNames: ["flow", "route"],
      registers,
      collect() {
        this.reset();
        for (const [flow, { figures }] of flows) {
          for (const [route, { counts }] of figures.routes) this.inc({ flow, route }, counts[RouteFigure[figure]] ?? 0);
        }
      },
    });
  }
  new Gauge({
    name: "bulkhead_route_open_aggregations",
    help: "Groups of a route's aggregate steps that are not complete",
    labelNames: ["flow", "route"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [route, { counts }] of figures.routes)
          this.set({ flow, route }, counts[RouteFigure.openGroups] ?? 0);
      }
    },
  });
  new Gauge({
    name: "bulkhead_route_held_messages",
    help: "Messages that a route's resequence steps keep until their turn",
    labelNames: ["flow", "route"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [route, { counts }] of figures.routes)
          this.set({ flow, route }, counts[RouteFigure.heldMessages] ?? 0);
      }
    },
  });
  new Gauge({
    name: "bulkhead_route_breakers",
    help: "Circuit breakers of a route by their state; an open one becomes half open with the first call after its wait",
    labelNames: ["flow", "route", "state"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [route, { counts }] of figures.routes) {
          const states = breakerStates.map(([state, figure]) => [state, counts[RouteFigure[figure]] ?? 0] as const);
          if (states.every(([, count]) => count === 0)) continue;
          for (const [state, count] of states) this.set({ flow, route, state }, count);
        }
      }
    },
  });
  new Counter({
    name: "bulkhead_endpoint_calls_total",
    help: "Calls of an endpoint that a flow's text names by scheme and host; dynamic: only messages name it; other: beyond the first 20",
    labelNames: ["flow", "endpoint", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [endpoint, counts] of figures.shownEndpoints) {
          this.inc({ flow, endpoint, outcome: "ok" }, counts[EndpointFigure.ok] ?? 0);
          this.inc({ flow, endpoint, outcome: "failed" }, counts[EndpointFigure.failed] ?? 0);
        }
      }
    },
  });
  new Counter({
    name: "bulkhead_endpoint_retries_total",
    help: "Redeliveries to an endpoint by the error handlers of routes",
    labelNames: ["flow", "endpoint"],
    registers,
    collect() {
      this.reset();
      for (const [flow, { figures }] of flows) {
        for (const [endpoint, counts] of figures.shownEndpoints)
          this.inc({ flow, endpoint }, counts[EndpointFigure.retries] ?? 0);
      }
    },
  });
}

const routeCounters: readonly (readonly [name: string, help: string, figure: RouteFigure])[] = [
  ["bulkhead_route_retries_total", "Redeliveries of failed steps by a route's error handler", "retries"],
  ["bulkhead_route_dead_letters_total", "Messages that a route has given to its dead letter channel", "deadLetters"],
  [
    "bulkhead_route_handled_failures_total",
    "Failures that a route has handled itself: onException, a dead letter channel, doTry, a circuit breaker's fallback",
    "handled",
  ],
  [
    "bulkhead_route_idempotent_hits_total",
    "Messages that an idempotentConsumer of a route had seen before",
    "idempotentHits",
  ],
  [
    "bulkhead_route_recovered_groups_total",
    "Complete groups of a route's aggregate steps whose steps were begun again, because a thread or the runtime had ended before they had run",
    "recoveredGroups",
  ],
];

const breakerStates = [
  ["closed", "breakersClosed"],
  ["open", "breakersOpen"],
  ["half_open", "breakersHalfOpen"],
] as const;

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

/** A Prometheus histogram of counts that are kept elsewhere, filled when it is read: prom-client's own would hash labels at each observation. */
export class CountedHistogram extends Histogram<string> {
  readonly #about: About;
  /** An empty histogram, whose `get` has the parts of the answer that do not depend on counts. */
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

  /** Called by prom-client for the text form; the inherited method would read fields that are not filled. */
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
