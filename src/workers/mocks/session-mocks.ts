/** The mocks of one run: those of all sessions that it is in, in their order. */
import type { MockedCall } from "../../shared/mock.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import type { Run } from "../engine/run.ts";
import type { RunMocks } from "../engine/run-mocks.ts";
import { wait } from "../engine/waiting.ts";
import type { ArmedMock } from "./armed-mock.ts";
import type { ArmedSession, Taken } from "./armed-session.ts";
import type { MockedFlow } from "./mocked-flow.ts";
import { type CallPlace, recordCall } from "./recorded-call.ts";

/** Who is told of a call: control, by the session's number and the run's slot. */
export type TellCall = (session: number, slot: number, call: MockedCall) => void;

/** A step, or the sending to an endpoint, on its way through the sessions. */
interface Passage {
  readonly exchange: Exchange;
  readonly real: Processor;
  readonly uri: string | undefined;
  mocks(session: ArmedSession): readonly ArmedMock[];
}

export class SessionMocks implements RunMocks<Exchange> {
  readonly #sessions: readonly ArmedSession[];
  readonly #flow: MockedFlow;
  /** The whole run: parts of it may outlive it. */
  readonly #run: Run<Exchange>;
  readonly #tell: TellCall;

  constructor(sessions: readonly ArmedSession[], flow: MockedFlow, run: Run<Exchange>, tell: TellCall) {
    this.#sessions = sessions;
    this.#flow = flow;
    this.#run = run;
    this.#tell = tell;
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
      // A spy is around what comes next, which may be another session's mock.
      return this.#taken(session, taken, passage, () => this.#pass(passage, at + 1));
    }
    return real(exchange);
  }

  #taken(
    session: ArmedSession,
    { mock, act }: Taken,
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
      if (record !== undefined && !this.#run.over) this.#tell(session.number, this.#run.slot, record(failure));
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
