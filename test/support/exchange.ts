/** An exchange outside of any pool, for tests of expressions and single processors. */
import { defaultLimits } from "../../src/shared/limits.ts";
import { Exchange } from "../../src/workers/engine/exchange.ts";
import { Headers } from "../../src/workers/engine/headers.ts";
import { Message } from "../../src/workers/engine/message.ts";
import { Run } from "../../src/workers/engine/run.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";

export interface ExchangeParts {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly sink?: Partial<RunSink<Exchange>>;
}

const silent: RunSink<Exchange> = {
  interest: 0,
  logLevel: 0,
  recordSteps: true,
  enter() {},
  log() {},
  trace() {},
  call: () => Promise.reject(new Error("no other flows in this test")),
};

export function anExchange({
  body = null,
  headers = {},
  properties = {},
  variables = {},
  sink = {},
}: ExchangeParts = {}): Exchange {
  const run = new Run({ ...silent, ...sink }, defaultLimits, 0, 0);
  const received = new Headers(defaultLimits);
  for (const [name, value] of Object.entries(headers)) received.receive(name, value);
  const exchange = new Exchange(run, "route1", new Message(defaultLimits, received, body));
  for (const [name, value] of Object.entries(properties)) exchange.properties.set(name, value);
  for (const [name, value] of Object.entries(variables)) exchange.variables.set(name, value);
  return exchange;
}
