/** Runs messages through one compiled flow, whose steps keep their state from message to message. */
import { defaultLimits, type Limits } from "../../src/shared/limits.ts";
import { Exchange } from "../../src/workers/engine/exchange.ts";
import { Headers } from "../../src/workers/engine/headers.ts";
import { Message } from "../../src/workers/engine/message.ts";
import { Run } from "../../src/workers/engine/run.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";
import { compileYaml, routeOf } from "./run-route.ts";

export interface Sent {
  readonly run: Run<Exchange>;
  readonly exchange: Exchange;
  /** true when the route had ended before its processor returned. */
  readonly synchronous: boolean;
  /** The failure of the route; undefined when there was none. */
  readonly error: Promise<unknown>;
}

export interface Repeated {
  send(body: unknown, headers?: Readonly<Record<string, unknown>>): Sent;
  /** Sends a message and waits for its end. */
  run(body: unknown, headers?: Readonly<Record<string, unknown>>): Promise<{ exchange: Exchange; error: unknown }>;
  /** Messages of log steps in all runs. */
  readonly logs: readonly string[];
  /** Calls the flow's handlers for the moment when it is stopped. */
  halt(): void;
}

/** `yaml`: a flow, or the steps of its one route. */
export function repeatRoute(yaml: string, overrides: Partial<Limits> = {}): Repeated {
  const limits = { ...defaultLimits, ...overrides };
  const flow = compileYaml(/^- (route|from|beans):/.test(yaml.trim()) ? yaml : routeOf(yaml), limits);
  const route = flow.route(0);
  const logs: string[] = [];
  const sink: RunSink<Exchange> = {
    interest: 0,
    logLevel: 0,
    recordSteps: true,
    enter() {},
    log: (_slot, _step, _level, _logger, message) => void logs.push(message),
    trace() {},
    call: () => Promise.reject(new Error("no other flows in this test")),
  };
  const send = (body: unknown, headers: Readonly<Record<string, unknown>> = {}): Sent => {
    const run = new Run(sink, limits, 0, 0);
    run.shared = flow.variables;
    const given = new Headers(limits);
    for (const [name, value] of Object.entries(headers)) given.receive(name, value);
    const exchange = new Exchange(run, route.id, new Message(limits, given, body));
    const end = (error: unknown): unknown => {
      const over = (failure: unknown): unknown => error ?? failure;
      return exchange.done(error !== undefined, error)?.then(() => error, over) ?? error;
    };
    try {
      const pending = route.processor(exchange);
      if (pending === undefined) return { run, exchange, synchronous: true, error: Promise.resolve(end(undefined)) };
      return { run, exchange, synchronous: false, error: pending.then(() => end(undefined), end) };
    } catch (error) {
      return { run, exchange, synchronous: true, error: Promise.resolve(end(error)) };
    }
  };
  return {
    send,
    async run(body, headers) {
      const { exchange, error } = send(body, headers);
      return { exchange, error: await error };
    },
    logs,
    halt: () => flow.life.halt(),
  };
}
