/** The series of consumers: routes whose messages come from a source in the flow's thread. */
import { Counter, Gauge, type Registry } from "prom-client";
import type { ConsumerState } from "./flow-consumers.ts";
import type { InstalledFlows } from "./metric-sources.ts";

const labelNames = ["flow", "route", "scheme"];

export function registerConsumers(registry: Registry, flows: InstalledFlows): void {
  const registers = [registry];
  const each = (take: (labels: Record<string, string>, consumer: ConsumerState) => void): void => {
    for (const [flow, { consumers }] of flows) {
      for (const consumer of consumers.list())
        take({ flow, route: consumer.routeId, scheme: consumer.scheme }, consumer);
    }
  };
  for (const [name, help, value] of counters) {
    new Counter({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        each((labels, consumer) => this.inc(labels, value(consumer)));
      },
    });
  }
  for (const [name, help, value] of gauges) {
    new Gauge({
      ...{ name, help, labelNames, registers },
      collect() {
        this.reset();
        each((labels, consumer) => {
          const now = value(consumer);
          if (now !== null) this.set(labels, now);
        });
      },
    });
  }
  new Counter({
    name: "bulkhead_consumer_messages_total",
    help: "Messages that a consumer took; lost: their run did not begin, or could not be kept, so that they come again",
    labelNames: [...labelNames, "outcome"],
    registers,
    collect() {
      this.reset();
      each((labels, { done, failed, lost }) => {
        for (const [outcome, count] of Object.entries({ done, failed, lost })) this.inc({ ...labels, outcome }, count);
      });
    },
  });
}

const counters: readonly (readonly [name: string, help: string, value: (of: ConsumerState) => number])[] = [
  ["bulkhead_consumer_polls_total", "Polls of a consumer, those that failed included", ({ polls }) => polls],
  ["bulkhead_consumer_poll_failures_total", "Polls that failed", ({ pollFailures }) => pollFailures],
  [
    "bulkhead_consumer_redelivered_total",
    "Messages of a consumer that their server had delivered before",
    ({ redelivered }) => redelivered,
  ],
];

const gauges: readonly (readonly [name: string, help: string, value: (of: ConsumerState) => number | null])[] = [
  [
    "bulkhead_consumer_failing",
    "1: the last poll of the consumer failed, and it waits before the next one; 0: not so",
    ({ failingSince }) => (failingSince === null ? 0 : 1),
  ],
  [
    "bulkhead_consumer_under_way",
    "Messages of a consumer that are not acknowledged, since their runs are not over",
    ({ underWay }) => underWay,
  ],
  [
    "bulkhead_consumer_overdue",
    "Messages of a consumer that are not acknowledged 10 s after the limit of their runs",
    ({ overdue }) => overdue,
  ],
  [
    "bulkhead_consumer_backlog",
    "Messages that wait where a consumer takes them, of a topic its lag, as of its last poll; without a value where that is not known",
    ({ backlog }) => backlog,
  ],
];
