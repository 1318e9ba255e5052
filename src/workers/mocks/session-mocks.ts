/** Applies the mocks of test sessions to the steps of runs, and keeps the sessions of this thread. */
import type { ArmTask, MockAction, MockedCall, RecordedMessage } from "../../shared/mock.ts";
import { redact } from "../../shared/redact.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import { isStatus, recordedError, recordedMessage, recordedValues } from "../engine/recorded-message.ts";
import type { Run } from "../engine/run.ts";
import type { RunMocks } from "../engine/run-observers.ts";
import { wait } from "../engine/waiting.ts";
import type { ArmedMock } from "./armed-mock.ts";
import { ArmedSession, type TakenMock } from "./armed-session.ts";
import type { MockedFlow } from "./mocked-flow.ts";

/** Reports a call to control, by the session's number and the run's slot. */
export type ReportCall = (session: number, slot: number, call: MockedCall) => void;

/** A step, or the sending to an endpoint, while the sessions' mocks are tried. */
interface Passage {
  readonly exchange: Exchange;
  readonly real: Processor;
  readonly uri: string | undefined;
  mocks(session: ArmedSession): readonly ArmedMock[];
}

/** The mocks of one run, from all its sessions in order. */
export class SessionMocks implements RunMocks<Exchange> {
  readonly #sessions: readonly ArmedSession[];
  readonly #flow: MockedFlow;
  /** The whole run; a mock may be reached by a part that outlives it. */
  readonly #run: Run<Exchange>;
  readonly #report: ReportCall;

  constructor(sessions: readonly ArmedSession[], flow: MockedFlow, run: Run<Exchange>, report: ReportCall) {
    this.#sessions = sessions;
    this.#flow = flow;
    this.#run = run;
    this.#report = report;
  }

  step(exchange: Exchange, index: number, real: Processor): void | Promise<void> {
    if (!this.#sessions.some((session) => session.atStep(index).length > 0)) return real(exchange);
    const uri = this.#flow.endpoint(index);
    return this.#pass({ exchange, real, uri, mocks: (session) => session.atStep(index) }, 0);
  }

  send(exchange: Exchange, uris: readonly string[], real: Processor): void | Promise<void> {
    if (!this.#sessions.some((session) => session.atEndpoint(uris).length > 0)) return real(exchange);
    return this.#pass({ exchange, real, uri: uris[0], mocks: (session) => session.atEndpoint(uris) }, 0);
  }

  #pass(passage: Passage, from: number): void | Promise<void> {
    const { exchange, real } = passage;
    for (let at = from; at < this.#sessions.length; at++) {
      const session = this.#sessions[at] as ArmedSession;
      const mocks = passage.mocks(session);
      if (mocks.length === 0) continue;
      const loading = mocks.map((mock) => mock.load()).filter((pending) => pending !== undefined);
      if (loading.length > 0) return Promise.all(loading).then(() => this.#pass(passage, at));
      const taken = session.take(mocks, exchange);
      if (taken === undefined) continue;
      // A spy wraps whatever follows, which may be a mock of another session.
      return this.#taken(session, taken, passage, () => this.#pass(passage, at + 1));
    }
    return real(exchange);
  }

  #taken(
    session: ArmedSession,
    { mock, act }: TakenMock,
    { exchange, uri }: Passage,
    next: () => void | Promise<void>,
  ): void | Promise<void> {
    const { run } = exchange;
    const place = this.#place(exchange, uri);
    const { target } = mock.mock;
    const seq = session.uses.call(target);
    const begun = { seq, mock: mock.index, target, action: act.kind, ...place };
    const record = session.uses.mayRecord() ? recordCall(begun, exchange) : undefined;
    run.recording?.mocked(exchange);
    if (run.traced) run.trace("step.mocked", exchange.step, 0, `{"mock":${mock.index},"action":"${act.kind}"}`);
    const ended = (failure?: { readonly error: unknown }): void => {
      if (record !== undefined && !this.#run.over) this.#report(session.number, this.#run.slot, record(failure));
    };
    const failed = (error: unknown): never => {
      ended({ error });
      throw error;
    };
    const { stepId, uri: sentTo = stepId } = place;
    const perform = (): void | Promise<void> => (act.kind === "spy" ? next() : act.perform(exchange, sentTo));
    try {
      const pending = act.delayMs > 0 ? wait(act.delayMs, run.signal).then(() => inSegment(run, perform)) : perform();
      if (pending !== undefined) return pending.then(() => ended(), failed);
    } catch (error) {
      return failed(error);
    }
    ended();
  }

  #place(exchange: Exchange, uri: string | undefined): CallPlace {
    const step = this.#flow.manifest.steps[exchange.step];
    return { stepId: step?.id ?? "", routeId: step?.routeId ?? exchange.routeId, uri };
  }
}

function inSegment(run: Run<Exchange>, perform: () => void | Promise<void>): void | Promise<void> {
  const began = run.beginSegment();
  try {
    return perform();
  } finally {
    run.endSegment(began);
  }
}

export interface CallPlace {
  readonly stepId: string;
  readonly routeId: string;
  /** The endpoint's URI in normal form. */
  readonly uri: string | undefined;
}

/** The data of a call when it begins. */
export interface BegunCall extends CallPlace {
  readonly seq: number;
  readonly mock: number;
  readonly target: number;
  readonly action: MockAction["kind"];
}

/** Records the message that a mock receives; returns the function that completes the record when the call ends. */
export function recordCall(
  begun: BegunCall,
  exchange: Exchange,
): (failure?: { readonly error: unknown }) => MockedCall {
  const { run, message } = exchange;
  const { uri, ...call } = begun;
  const at = Date.now();
  const began = performance.now();
  const seen = recordedMessage(message, run);
  const { values: properties } = recordedValues(exchange.properties, Math.floor(run.limits.recordedBytes / 4), run);
  const shown = uri === undefined ? undefined : redact(run.mask(uri, run.limits.previewBytes));
  const request = { ...seen, ...(shown !== undefined && { uri: shown }), properties };
  return (failure) => ({
    ...call,
    at,
    durationMs: Math.round((performance.now() - began) * 1000) / 1000,
    request,
    response: failure === undefined ? response(exchange) : null,
    error: failure === undefined ? null : recordedError(failure.error, run),
  });
}

function response({ message, run }: Exchange): RecordedMessage & { readonly status?: number } {
  const status = message.headers.get("CamelHttpResponseCode");
  const left = recordedMessage(message, run);
  return isStatus(status) ? { ...left, status } : left;
}

/** The test sessions of this thread, and those of the next run. */
export class ArmedSessions {
  readonly #flow: MockedFlow;
  readonly #report: ReportCall;
  readonly #armed = new Map<number, ArmedSession>();
  #next: readonly number[] | undefined;

  constructor(flow: MockedFlow, report: ReportCall) {
    this.#flow = flow;
    this.#report = report;
  }

  arm(number: number, task: ArmTask): void {
    this.#armed.set(number, new ArmedSession(number, task, this.#flow));
  }

  /** Runs that are in the session keep it; its shared memory marks it as closed. */
  disarm(number: number): void {
    this.#armed.delete(number);
  }

  /** Sets the sessions of the next invoke frame's run. */
  test(numbers: readonly number[]): void {
    this.#next = numbers;
  }

  /** Makes the mocks of a run that begins; undefined when it is in no session. */
  mocks(run: Run<Exchange>): RunMocks<Exchange> | undefined {
    const numbers = this.#next;
    if (numbers === undefined) return undefined;
    this.#next = undefined;
    const sessions = numbers.map((number) => this.#armed.get(number)).filter((session) => session !== undefined);
    return new SessionMocks(sessions, this.#flow, run, this.#report);
  }
}
