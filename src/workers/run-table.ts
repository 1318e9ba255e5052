/** The runs under way in this thread: begins them from invoke frames, answers each with one result frame. */
import type { Limits } from "../shared/limits.ts";
import type { BodyKind, InvokeExtra, ResultExtra } from "../shared/protocol.ts";
import { Outcome, ToControl } from "../shared/protocol.ts";
import { redact } from "../shared/redact.ts";
import {
  decodeBody,
  encodeAnswer,
  encodeBody,
  encodeExchange,
  encodeHeaders,
  receiveExchange,
  statusOf,
  toJson,
} from "./bodies.ts";
import type { CompiledFlow } from "./compile/compile-flow.ts";
import { exceptionMessage, exceptionType } from "./engine/exception.ts";
import { Exchange, Message } from "./engine/exchange.ts";
import { Headers } from "./engine/headers.ts";
import { Run } from "./engine/run.ts";
import { receiveIntoVariable } from "./engine/variables.ts";
import type { Line } from "./line.ts";

export class RunTable {
  readonly #flow: CompiledFlow;
  readonly #line: Line;
  readonly #limits: Limits;
  readonly #onIdle: () => void;
  /** By slot. An array for the reason that control has (flows/slot-table.ts). */
  readonly #runs: (Run | undefined)[] = [];
  #active = 0;

  constructor(flow: CompiledFlow, line: Line, limits: Limits, onIdle: () => void) {
    this.#flow = flow;
    this.#line = line;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  get active(): number {
    return this.#active;
  }

  /** `at` is the index of an invoke frame's first field. */
  invoke(frames: readonly unknown[], at: number): void {
    const hops = frames[at + 2] as number;
    const child = hops >= 0;
    const run = new Run(this.#line, this.#limits, frames[at] as number, Math.max(0, hops));
    this.#runs[run.slot] = run;
    this.#active += 1;
    const began = run.beginSegment();
    let exchange: Exchange | undefined;
    try {
      exchange = this.#exchange(run, frames, at);
    } catch (error) {
      const outcome = error instanceof SyntaxError ? Outcome.badJson : Outcome.failed;
      this.#answer(run, exchange, child, outcome, error, began);
      return;
    }
    const begun = exchange;
    try {
      const pending = this.#flow.route(frames[at + 1] as number).processor(begun);
      if (pending === undefined) {
        this.#answer(run, begun, child, Outcome.ok, undefined, began);
        return;
      }
      run.endSegment(began);
      pending.then(
        () => this.#answer(run, begun, child, Outcome.ok, undefined, -1),
        (error: unknown) => this.#answer(run, begun, child, Outcome.failed, error, -1),
      );
    } catch (error) {
      this.#answer(run, begun, child, Outcome.failed, error, began);
    }
  }

  cancel(slot: number, reason: string): void {
    this.#runs[slot]?.cancel(reason);
  }

  /** Throws when a body that is said to be JSON is not. */
  #exchange(run: Run, frames: readonly unknown[], at: number): Exchange {
    const route = this.#flow.route(frames[at + 1] as number);
    const body = decodeBody(frames[at + 4] as BodyKind, frames[at + 5] as string | Uint8Array | null);
    const headers = new Headers(this.#limits, frames[at + 3] as string);
    const message = new Message(this.#limits, headers, body);
    const exchange = new Exchange(run, route.id, message);
    const extra = frames[at + 6] as string;
    if (extra !== "") receiveExchange(exchange, JSON.parse(extra) as InvokeExtra, false);
    if (route.variableReceive !== undefined) {
      receiveIntoVariable(exchange, route.variableReceive);
      message.restore({ ...message.snapshot(), body: null });
    }
    return exchange;
  }

  #answer(
    run: Run,
    exchange: Exchange | undefined,
    child: boolean,
    outcome: Outcome,
    error: unknown,
    began: number,
  ): void {
    run.endSegment(began);
    this.#runs[run.slot] = undefined;
    this.#active -= 1;
    if (outcome === Outcome.ok && exchange !== undefined) {
      try {
        this.#succeed(run, exchange, child);
      } catch (failure) {
        this.#fail(run, failure);
      }
    } else if (outcome === Outcome.badJson) this.#push(run, outcome, 0, encodeBody(null), "", "");
    else this.#fail(run, error);
    if (this.#active === 0) this.#onIdle();
  }

  #succeed(run: Run, exchange: Exchange, child: boolean): void {
    if (child) {
      const extra: ResultExtra = { ...encodeExchange(exchange), ...(exchange.stopped ? { stopped: true } : {}) };
      this.#push(run, Outcome.ok, 0, encodeBody(exchange.message.body), "", toJson(extra));
    } else this.#push(run, Outcome.ok, statusOf(exchange), encodeAnswer(exchange), encodeHeaders(exchange), "");
  }

  #fail(run: Run, error: unknown): void {
    const step = this.#flow.manifest.steps[run.failedStep];
    const extra: ResultExtra = {
      error: {
        type: exceptionType(error),
        message: redact(exceptionMessage(error).slice(0, this.#limits.eventBytes)),
        stepId: step?.id ?? null,
        line: step?.at.line ?? null,
      },
      ...(run.failedPreview === undefined ? {} : { preview: run.failedPreview }),
    };
    this.#push(run, run.cancelled ? Outcome.cancelled : Outcome.failed, 0, encodeBody(null), "", JSON.stringify(extra));
  }

  #push(
    run: Run,
    outcome: Outcome,
    status: number,
    { kind, body }: ReturnType<typeof encodeBody>,
    headers: string,
    extra: string,
  ): void {
    const { timings } = run;
    const frames = this.#line.outbox.open();
    frames.push(
      ToControl.result,
      run.slot,
      outcome,
      status,
      kind,
      body,
      headers,
      run.executed,
      Math.round(run.cpuMs * 1000),
      extra,
      timings.length,
    );
    for (let i = 0; i + 2 < timings.length; i += 3) {
      const start = timings[i + 1] as number;
      frames.push(timings[i], Math.round(start * 1000), Math.round((timings[i + 2] as number) * 1000));
    }
  }
}
