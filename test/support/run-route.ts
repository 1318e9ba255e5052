/** Runs a flow from YAML in this thread: check, compile, run, with a sink that records what would go to control. */

import { renderDiagnostic } from "../../src/shared/diagnostic.ts";
import type { Egress } from "../../src/shared/egress.ts";
import type { FlowModel } from "../../src/shared/flow-model.ts";
import { defaultLimits, type Limits } from "../../src/shared/limits.ts";
import type { ArmTask, MockedCall } from "../../src/shared/mock.ts";
import { type Level, levels, type StepTraceType } from "../../src/shared/protocol.ts";
import type { Mask } from "../../src/shared/secret-mask.ts";
import { catalog } from "../../src/workers/catalog.ts";
import { check } from "../../src/workers/check/check.ts";
import { type CompiledFlow, compileFlow } from "../../src/workers/compile/compile-flow.ts";
import { Exchange } from "../../src/workers/engine/exchange.ts";
import type { AnnouncePort } from "../../src/workers/engine/flow-scope.ts";
import { Headers } from "../../src/workers/engine/headers.ts";
import { withModules } from "../../src/workers/engine/late-module.ts";
import type { Mappings } from "../../src/workers/engine/mappings.ts";
import { Message } from "../../src/workers/engine/message.ts";
import { Run } from "../../src/workers/engine/run.ts";
import type { RunMocks } from "../../src/workers/engine/run-observers.ts";
import type { RunSink } from "../../src/workers/engine/run-sink.ts";
import { ArmedSessions } from "../../src/workers/mocks/session-mocks.ts";
import { LocalRuns } from "./local-runs.ts";
import { memoryState } from "./state/memory-state.ts";

export interface RouteOptions {
  /** The index of the route to run. */
  readonly route?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<Limits>;
  /** Bits of `Interest`. */
  readonly interest?: number;
  readonly logLevel?: Level;
  readonly recordSteps?: boolean;
  /** Hides the flow's secrets in logs and events. */
  readonly mask?: Mask;
  readonly hops?: number;
  readonly pattern?: Exchange["pattern"];
  /** Acts for the flows that consume other `direct:` names. */
  readonly call?: RunSink<Exchange>["call"];
  /** Overrides of the sink. */
  readonly sink?: Partial<RunSink<Exchange>>;
  /** The servers that may be called; absent: none. */
  readonly egress?: Egress;
  /** Absent: none. */
  readonly mappings?: Mappings<Exchange>;
  /** Test sessions that the run, and runs which it announces, are in; their numbers are 1, 2, ... */
  readonly sessions?: readonly ArmTask[];
}

export interface LogLine {
  readonly level: Level;
  /** The route's id when the step gave none. */
  readonly logger: string;
  readonly message: string;
  readonly stepId: string;
}

export interface TraceLine {
  readonly type: StepTraceType;
  readonly stepId: string;
  readonly durationMs: number;
  readonly extra: Readonly<Record<string, unknown>>;
}

export interface RouteOutcome {
  readonly exchange: Exchange;
  readonly run: Run<Exchange>;
  /** The failure of the route; undefined when there was none. */
  readonly error: unknown;
  readonly logs: readonly LogLine[];
  readonly traces: readonly TraceLine[];
  /** Ids of the steps whose time was recorded, in the order of their ends. */
  readonly timed: readonly string[];
  /** Id of the step that failed. */
  readonly failedStep: string | undefined;
  /** The announced runs: `await announced.settled()` for their ends. */
  readonly announced: LocalRuns;
  /** Calls of the sessions' mocks, in the order of their ends. */
  readonly calls: readonly MockedCall[];
}

export interface BegunRoute {
  readonly run: Run<Exchange>;
  readonly exchange: Exchange;
  /** true when the route had ended before its processor returned. */
  readonly synchronous: boolean;
  readonly outcome: Promise<RouteOutcome>;
  readonly announced: LocalRuns;
  readonly flow: CompiledFlow;
}

/** Checks a flow and returns its model. Throws with all diagnostics when the flow has an error. */
export function modelOf(yaml: string, limits: Limits = defaultLimits): FlowModel {
  const { flow, diagnostics } = check({ flowId: "flow", yaml, params: {}, limits }, catalog, compileFlow);
  if (flow === undefined) throw new Error(diagnostics.map((problem) => renderDiagnostic("flow", problem)).join("\n"));
  return flow.model;
}

export function compileYaml(
  yaml: string,
  limits: Limits = defaultLimits,
  port?: AnnouncePort,
  egress?: Egress,
): CompiledFlow {
  return compileFlow(modelOf(yaml, limits), limits, { port, egress, state: memoryState() });
}

/** Begins a run. Throws NotLoaded for a flow that uses a late module: see `withModules`. */
export function beginRoute(yaml: string, options: RouteOptions = {}): BegunRoute {
  const limits = { ...defaultLimits, ...options.limits };
  const calls: MockedCall[] = [];
  const announced = new LocalRuns(
    limits,
    () => sink,
    (run) => mocksOf(run),
  );
  const flow = compileYaml(yaml, limits, announced, options.egress);
  const sessions = new ArmedSessions(flow, (_session, _slot, call) => calls.push(call));
  const numbers = (options.sessions ?? []).map((_, at) => at + 1);
  for (const number of numbers) sessions.arm(number, options.sessions?.[number - 1] as ArmTask);
  const mocksOf = (run: Run<Exchange>): RunMocks<Exchange> | undefined => {
    if (numbers.length > 0) sessions.test(numbers);
    return sessions.mocks(run);
  };
  const { steps } = flow.manifest;
  const stepId = (index: number): string => steps[index]?.id ?? "";
  const logs: LogLine[] = [];
  const traces: TraceLine[] = [];
  const route = flow.route(options.route ?? 0);
  const sink: RunSink<Exchange> = {
    interest: options.interest ?? 0,
    logLevel: levels.indexOf(options.logLevel ?? "TRACE"),
    recordSteps: options.recordSteps ?? true,
    ...(options.mask && { mask: options.mask }),
    enter() {},
    log(_slot, step, level, logger, message) {
      logs.push({
        level: levels[level] as Level,
        logger: logger || (steps[step]?.routeId ?? ""),
        message,
        stepId: stepId(step),
      });
    },
    trace(_slot, type, step, durationMs, extra) {
      traces.push({ type, stepId: stepId(step), durationMs, extra: extra === "" ? {} : JSON.parse(extra) });
    },
    call: options.call ?? (() => Promise.reject(new Error("no other flows in this test"))),
    ...options.sink,
  };
  const run = new Run(sink, limits, 0, options.hops ?? 0);
  run.mappings = options.mappings ?? run.mappings;
  run.shared = flow.variables;
  announced.variables = () => flow.variables;
  run.mocks = mocksOf(run);
  const headers = new Headers(limits);
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.receive(name, value);
  const exchange = new Exchange(run, route.id, new Message(limits, headers, options.body ?? null));
  for (const [name, value] of Object.entries(options.properties ?? {})) exchange.properties.set(name, value);
  for (const [name, value] of Object.entries(options.variables ?? {})) exchange.variables.set(name, value);
  exchange.pattern = options.pattern ?? exchange.pattern;
  const end = (error: unknown): RouteOutcome => ({
    exchange,
    run,
    error,
    logs,
    traces,
    timed: run.timings.filter((_, at) => at % 3 === 0).map(stepId),
    failedStep: run.failedStep < 0 ? undefined : stepId(run.failedStep),
    announced,
    calls,
  });
  const ended = (error: unknown): RouteOutcome | Promise<RouteOutcome> => {
    const over = (failure: unknown): RouteOutcome => {
      run.over = true;
      return end(error ?? failure);
    };
    const pending = exchange.done(error !== undefined, error);
    return pending === undefined ? over(undefined) : pending.then(() => over(undefined), over);
  };
  const begun = { run, exchange, announced, flow };
  flow.life.serve(flow.manifest.routes.map(({ autoStartup }) => (autoStartup ? "1" : "0")).join(""));
  try {
    const pending = route.processor(exchange);
    if (pending === undefined) return { ...begun, synchronous: true, outcome: Promise.resolve(ended(undefined)) };
    return { ...begun, synchronous: false, outcome: pending.then(() => ended(undefined), ended) };
  } catch (error) {
    return { ...begun, synchronous: true, outcome: Promise.resolve(ended(error)) };
  }
}

export async function runRoute(yaml: string, options: RouteOptions = {}): Promise<RouteOutcome> {
  const { outcome } = await withModules(() => beginRoute(yaml, options));
  return outcome;
}

/** Makes a flow of one route `main`, which consumes `direct:start`, with these steps (YAML of a list). */
export function routeOf(steps: string): string {
  const head = ["- route:", "    id: main", "    from:", "      uri: direct:start", "      steps:"];
  return [
    ...head,
    ...steps
      .trim()
      .split("\n")
      .map((line) => `        ${line}`),
    "",
  ].join("\n");
}

/** Runs these steps as the one route of a flow. */
export function runSteps(steps: string, options: RouteOptions = {}): Promise<RouteOutcome> {
  return runRoute(routeOf(steps), options);
}
