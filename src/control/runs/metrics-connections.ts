/** The series of named connections. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { MetricSources } from "./metric-sources.ts";

export function registerConnections(registry: Registry, { connections }: Pick<MetricSources, "connections">): void {
  const registers = [registry];
  for (const [name, help, value] of gauges) {
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        for (const one of connections()) this.set(labelsOf(one), value(one.state));
      },
    });
  }
  new Counter({
    name: "bulkhead_connection_errors_total",
    help: "Attempts to open a named connection that failed, and open ones that were lost",
    ...{ labelNames, registers },
    collect() {
      this.reset();
      for (const one of connections()) this.inc(labelsOf(one), one.state.errors);
    },
  });
}

type One = ReturnType<MetricSources["connections"]> extends Iterable<infer Item> ? Item : never;

/** `flow`: of a connection that a flow itself describes; else empty. */
const labelNames = ["connection", "kind", "flow"];

function labelsOf({ name: connection, kind, flowId: flow = "" }: One) {
  return { connection, kind, flow };
}

const gauges: readonly (readonly [name: string, help: string, value: (state: One["state"]) => number])[] = [
  ["bulkhead_connection_open", "Open connections of a named connection, in all threads", ({ open }) => open],
  ["bulkhead_connection_idle", "Those that nobody uses", ({ idle }) => idle],
  ["bulkhead_connection_waiting", "Runs that wait for one", ({ waiting }) => waiting],
  [
    "bulkhead_connection_failing",
    "1: the last attempt to open the named connection failed, or it was lost; 0: not so",
    ({ failingSince }) => (failingSince === null ? 0 : 1),
  ],
];
