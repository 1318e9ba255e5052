/** Runs a conformance case in this thread: check, compile, start, send, and wait until everything has come to rest. */

import type { Diagnostic } from "../../src/shared/diagnostic.ts";
import type { Egress } from "../../src/shared/egress.ts";
import { defaultLimits } from "../../src/shared/limits.ts";
import { type Level, levels } from "../../src/shared/protocol.ts";
import { catalog } from "../../src/workers/catalog.ts";
import { check } from "../../src/workers/check/check.ts";
import { type CompiledFlow, compileFlow } from "../../src/workers/compile/compile-flow.ts";
import { FlowException } from "../../src/workers/engine/exception.ts";
import { Exchange } from "../../src/workers/engine/exchange.ts";
import type { AnnouncedWork, AnnouncePort, Held } from "../../src/workers/engine/flow-scope.ts";
import { Headers } from "../../src/workers/engine/headers.ts";
import { withModules } from "../../src/workers/engine/late-module.ts";
import { Message } from "../../src/workers/engine/message.ts";
import { Run } from "../../src/workers/engine/run.ts";
import type { RunMocks } from "../../src/workers/engine/run-observers.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";
import { receiveIntoVariable } from "../../src/workers/engine/variables.ts";
import { epochMs, pause, turn } from "../support/clock.ts";
import { LocalRuns } from "../support/local-runs.ts";
import { memoryState } from "../support/state/memory-state.ts";
import { type ConformanceCase, flowOf, type Input } from "./case.ts";

/** A message as a mock was sent it. */
export interface Received {
  readonly body: unknown;
  readonly headers: ReadonlyMap<string, unknown>;
  readonly properties: ReadonlyMap<string, unknown>;
}

export interface Sent {
  readonly exchange: Exchange;
  readonly error: unknown;
}

export interface CaseOutcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly replies: readonly Sent[];
  readonly mocks: ReadonlyMap<string, readonly Received[]>;
  readonly logs: readonly string[];
}

const limits = defaultLimits;
/** Cases call a server on loopback. */
const egress: Egress = { rules: [{ kind: "net", address: "127.0.0.1", bits: 32 }] };
/** How long to wait for messages that are still to come, in milliseconds: for ever, to a test that has seconds. */
const patience = 10_000;

/** `params`: beside those of the case. */
export async function runCase(
  example: ConformanceCase,
  params: Readonly<Record<string, string>> = {},
): Promise<CaseOutcome> {
  const world = new World();
  const { diagnostics, flow } = await load(example, params, world);
  const replies: Sent[] = [];
  if (flow !== undefined) {
    world.flow = flow;
    flow.life.serve("1".repeat(flow.manifest.routes.length));
    for (const input of example.inputs ?? [example.input ?? {}]) {
      replies.push(await world.send(input.start ?? example.start ?? "direct:start", input));
    }
    if (example.stopFirst !== true) await world.rest(example);
    const seen = new Map([...world.mocks].map(([name, received]) => [name, [...received]]));
    flow.life.halt();
    await flow.life.finish();
    if (example.stopFirst !== true) return { diagnostics, replies, mocks: seen, logs: world.logs };
    await world.rest(example);
  }
  return { diagnostics, replies, mocks: world.mocks, logs: world.logs };
}

async function load(example: ConformanceCase, more: Readonly<Record<string, string>>, port: AnnouncePort) {
  const own = Object.entries(example.params ?? {}).map(([name, value]) => [name, String(value)]);
  const params = { ...Object.fromEntries(own), ...more };
  return withModules(() => {
    const request = { flowId: "flow", yaml: flowOf(example), params, limits };
    const { flow, diagnostics } = check(request, catalog, compileFlow);
    return {
      diagnostics,
      flow: flow === undefined ? undefined : compileFlow(flow.model, limits, { port, egress, state: memoryState() }),
    };
  });
}

/** What is around the flow: it opens the runs that the flow announces, and keeps what its mocks and log steps are given. */
class World implements AnnouncePort {
  readonly mocks = new Map<string, Received[]>();
  readonly logs: string[] = [];
  flow: CompiledFlow | undefined;
  readonly #runs = new LocalRuns(
    limits,
    () => this.#sink,
    () => this.#listening,
  );
  #begun = 0;
  #underWay = 0;
  #changed: (() => void)[] = [];
  readonly #sink: RunSink<Exchange> = {
    interest: 0,
    logLevel: 0,
    recordSteps: false,
    enter() {},
    log: (_slot, step, level, logger, message) => {
      const route = this.flow?.manifest.steps[step]?.routeId ?? "";
      this.logs.push(`${levels[level]} ${logger || route}: ${message}`);
    },
    trace() {},
    call: (_slot, name) =>
      Promise.reject(
        new FlowException("DirectConsumerNotAvailableException", `no route consumes 'direct:${name}' in another flow`),
      ),
  };
  readonly #listening: RunMocks<Exchange> = {
    step: (exchange, _index, step) => step(exchange),
    send: (exchange, [uri = ""], send) => {
      const mock = /^mock:([^?]*)/.exec(uri)?.[1];
      if (mock !== undefined) this.#received(mock, exchange);
      return send(exchange);
    },
  };

  constructor() {
    this.#runs.variables = () => this.flow?.variables;
  }

  async send(from: string, input: Input): Promise<Sent> {
    const index = this.flow?.manifest.routes.findIndex(({ uri }) => uri === from) ?? -1;
    const route = index === -1 ? undefined : this.flow?.route(index);
    if (route === undefined) throw new Error(`no route of the case begins with ${from}`);
    const headers = new Headers(limits);
    for (const [name, value] of Object.entries(input.headers ?? {})) headers.set(name, toValue(value));
    const message = new Message(limits, headers, toValue(input.body));
    const run = new Run(this.#sink, limits, 0, 0);
    run.mocks = this.#listening;
    run.shared = this.flow?.variables;
    const exchange = new Exchange(run, route.id, message);
    exchange.pattern = input.pattern ?? "InOnly";
    for (const [name, value] of Object.entries(input.properties ?? {})) exchange.properties.set(name, toValue(value));
    for (const [name, value] of Object.entries(input.variables ?? {})) exchange.variables.set(name, toValue(value));
    if (route.variableReceive !== undefined) {
      receiveIntoVariable(exchange, route.variableReceive);
      message.body = null;
    }
    return { exchange, error: await ended(() => route.processor(exchange), exchange) };
  }

  #received(mock: string, { message, properties }: Exchange): void {
    const received = this.mocks.get(mock) ?? [];
    received.push({
      body: message.body,
      headers: new Map(message.headers.entries()),
      properties: new Map(properties),
    });
    this.mocks.set(mock, received);
    this.#tell();
  }

  /** Resolves when the expected messages have come and no run is under way; in any case when patience is at an end. */
  async rest({ expect }: ConformanceCase): Promise<void> {
    const until = epochMs() + patience;
    const complete = (): boolean =>
      Object.entries(expect.mocks ?? {}).every(
        ([mock, { count, bodies }]) => (this.mocks.get(mock)?.length ?? 0) >= (count ?? bodies?.length ?? 0),
      );
    const mayCome = (): boolean => this.#underWay > 0 || (this.flow?.manifest.lifecycle === true && !complete());
    while ((mayCome() || !(await this.#quiet())) && epochMs() < until) {
      await Promise.race([new Promise<void>((resolve) => this.#changed.push(resolve)), pause(100)]);
    }
  }

  /** A message may wait for ever for its run, in a queue that nobody reads; one that is read begins within a few turns. */
  async #quiet(): Promise<boolean> {
    const before = this.#begun;
    for (let turns = 0; turns < 5; turns++) await turn();
    return this.#begun === before;
  }

  hold(parent: Exchange | undefined): Held {
    return this.#runs.hold(parent);
  }

  begin(held: Held, routeIndex: number, work: AnnouncedWork): Promise<Exchange> {
    this.#begun += 1;
    this.#underWay += 1;
    const over = this.#runs.begin(held as ReturnType<LocalRuns["hold"]>, routeIndex, work);
    const left = (): void => {
      this.#underWay -= 1;
      this.#tell();
    };
    over.then(left, left);
    return over;
  }

  room(): Promise<void> {
    return this.#runs.room();
  }

  log(level: Level, logger: string, message: string): void {
    this.#runs.log(level, logger, message);
  }

  source(): void {}

  #tell(): void {
    for (const look of this.#changed.splice(0)) look();
  }
}

/** What the route failed with, undefined when it did not. */
async function ended(process: () => void | Promise<void>, exchange: Exchange): Promise<unknown> {
  let error: unknown;
  try {
    await process();
  } catch (thrown) {
    error = thrown;
  }
  await exchange.done(error !== undefined, error);
  return error;
}

function toValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value ?? null;
  if ("$bytes" in value) return new TextEncoder().encode(String(value.$bytes));
  if ("$date" in value) return new Date(String(value.$date));
  return value;
}
