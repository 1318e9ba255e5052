/**
 * The runs that are under way in this thread: begins them from invoke frames, and answers each with one result frame.
 */
import type { Frames } from "../shared/frame-shape.ts";
import { ToControl } from "../shared/frames-to-control.ts";
import { threadFields } from "../shared/frames-to-thread.ts";
import type { Limits } from "../shared/limits.ts";
import type { ResultExtra, WireError } from "../shared/protocol.ts";
import { BodyKind, Outcome } from "../shared/protocol.ts";
import { shownError } from "../shared/redact.ts";
import type { Announcements, OpenedRun } from "./announcements.ts";
import { labelledHeaders } from "./answer-charset.ts";
import {
  asBytes,
  encodeAnswer,
  encodeExchange,
  encodeHeaders,
  encodeOwnBody,
  exchangeJson,
  statusOf,
  type WireBody,
} from "./bodies.ts";
import type { CompiledFlow } from "./compile/compile-flow.ts";
import { complete } from "./complete.ts";
import { exceptionMessage, exceptionType } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import { WholeForm } from "./engine/multipart.ts";
import type { Processor } from "./engine/processor.ts";
import { remoteAnswer } from "./engine/remote-answer.ts";
import { Run } from "./engine/run.ts";
import { StepRecording } from "./engine/step-recording.ts";
import { deadLetterFrame, keptFrame } from "./kept-runs.ts";
import type { Line } from "./line.ts";
import type { MappingRegistry } from "./mappings/registry.ts";
import type { ArmedSessions } from "./mocks/session-mocks.ts";
import { encodeHttpAnswer, encodeHttpFailure, type HttpAsker } from "./platform-http.ts";
import { receiveRun, refusalOf } from "./received-run.ts";

const { invoke } = threadFields;

/**
 * The receiver of a run's result: a caller in another flow gets the whole exchange, a webhook's the written body,
 * Camel's platform-http a response, or the part of this thread that announced the run.
 */
type Asker = "child" | "webhook" | HttpAsker | OpenedRun;

export class RunTable {
  readonly #flow: CompiledFlow;
  readonly #line: Line;
  readonly #limits: Limits;
  readonly #announced: Announcements;
  readonly #mappings: MappingRegistry;
  readonly #sessions: ArmedSessions;
  readonly #onIdle: () => void;
  /** Runs by slot, in an array for the same reason as in control (SlotTable, threads/line/thread-runs.ts). */
  readonly #runs: (Run<Exchange> | undefined)[] = [];
  #active = 0;
  /** The number of runs that have begun here. */
  began = 0;

  constructor(
    flow: CompiledFlow,
    line: Line,
    limits: Limits,
    announced: Announcements,
    mappings: MappingRegistry,
    sessions: ArmedSessions,
    onIdle: () => void,
  ) {
    this.#flow = flow;
    this.#line = line;
    this.#limits = limits;
    this.#announced = announced;
    this.#mappings = mappings;
    this.#sessions = sessions;
    this.#onIdle = onIdle;
  }

  get active(): number {
    return this.#active;
  }

  /** Begins the run of the invoke frame at this index. */
  invoke(frames: Frames, at: number): void {
    const hops = invoke.hops(frames, at);
    const opened =
      invoke.bodyKind(frames, at) === BodyKind.held
        ? this.#announced.opened(Number(invoke.body(frames, at)))
        : undefined;
    const asker = opened ?? (hops >= 0 ? "child" : this.#asker(frames, at));
    const run = new Run(this.#line, this.#limits, invoke.slot(frames, at), Math.max(0, hops));
    run.mappings = opened?.mappings ?? this.#mappings.current;
    run.shared = this.#flow.variables;
    run.mocks = this.#sessions.mocks(run);
    if (this.#line.recordAll || run.mocks !== undefined)
      run.recording = new StepRecording(run, this.#flow.manifest.steps);
    this.#line.effects.begun(run.slot);
    this.#line.progress.begun(run.slot);
    this.#runs[run.slot] = run;
    this.#active += 1;
    this.began += 1;
    // Before the body is read, since that may end the thread.
    this.#line.enter(run.slot);
    const began = run.beginSegment();
    let exchange: Exchange | undefined;
    let begin: Processor | undefined;
    try {
      const received = opened === undefined ? receiveRun(run, this.#flow, frames, at) : undefined;
      exchange = received?.exchange ?? opened?.work.exchange(run);
      begin = received?.process ?? opened?.work.process;
    } catch (error) {
      const refusable = opened === undefined && asker !== "child";
      const outcome = refusable ? refusalOf(error, invoke.bodyKind(frames, at)) : Outcome.failed;
      this.#answer(run, exchange, asker, outcome, error, began);
      return;
    }
    const begun = exchange as Exchange;
    run.recording?.began(begun);
    try {
      const pending = (begin as Processor)(begun);
      if (pending === undefined) {
        this.#answer(run, begun, asker, Outcome.ok, undefined, began);
        return;
      }
      run.endSegment(began);
      pending.then(
        () => this.#answer(run, begun, asker, Outcome.ok, undefined, -1),
        (error: unknown) => this.#answer(run, begun, asker, Outcome.failed, error, -1),
      );
    } catch (error) {
      this.#answer(run, begun, asker, Outcome.failed, error, began);
    }
  }

  cancel(slot: number, reason: string): void {
    this.#runs[slot]?.cancel(reason);
  }

  #asker(frames: Frames, at: number): Asker {
    const { http } = this.#flow.route(invoke.route(frames, at));
    return http === undefined ? "webhook" : { trigger: http, inbound: invoke.headers(frames, at) };
  }

  #answer(
    run: Run<Exchange>,
    exchange: Exchange | undefined,
    asker: Asker,
    outcome: Outcome,
    error: unknown,
    began: number,
  ): void {
    if (exchange !== undefined) run.recording?.ended(exchange, error);
    const pending = exchange && complete(exchange, outcome !== Outcome.ok, error);
    run.endSegment(began);
    const close = (): void => this.#close(run, exchange, asker, outcome, error);
    if (pending === undefined) close();
    else pending.then(close, (failure: unknown) => this.#close(run, exchange, asker, Outcome.failed, failure));
  }

  /** Sends the result: the completions of the exchange have ended. */
  #close(run: Run<Exchange>, exchange: Exchange | undefined, asker: Asker, outcome: Outcome, error: unknown): void {
    run.over = true;
    this.#runs[run.slot] = undefined;
    this.#active -= 1;
    if (outcome === Outcome.ok && exchange !== undefined) {
      try {
        this.#succeed(run, exchange, asker);
      } catch (failure) {
        this.#fail(run, failure, undefined, asker);
      }
    } else if (outcome > Outcome.cancelled) this.#push(run, outcome, 0, noBody, "", "");
    else this.#fail(run, error, exchange, asker);
    if (this.#active === 0) this.#onIdle();
  }

  #succeed(run: Run<Exchange>, exchange: Exchange, asker: Asker): void {
    const { deadLetter } = exchange;
    const stores = deadLetter !== undefined && this.#keeps(run, asker);
    if (stores) {
      const error = this.#errorOf(run, deadLetter.error, deadLetter.step);
      this.#line.outbox
        .open()
        .push(...(isOpened(asker) ? keptFrame(run, asker, error) : deadLetterFrame(run.slot, error)));
    }
    if (isOpened(asker)) {
      this.#push(run, Outcome.ok, 0, noBody, "", "");
      asker.end(exchange, stores);
    } else if (asker === "child") {
      const extra: ResultExtra = { ...encodeExchange(exchange), ...(exchange.stopped ? { stopped: true } : {}) };
      this.#push(run, Outcome.ok, 0, encodeOwnBody(exchange), "", exchangeJson(extra, this.#limits));
    } else if (asker === "webhook") {
      const status = statusOf(exchange);
      const body = encodeAnswer(exchange);
      this.#push(run, Outcome.ok, status, asBytes(body), labelledHeaders(body, encodeHeaders(exchange)), "");
    } else {
      const { status, body, headers } = encodeHttpAnswer(exchange, asker);
      this.#push(run, Outcome.ok, status, asBytes(body), labelledHeaders(body, headers), "");
    }
  }

  /** `exchange`: the state at the route's failure; Camel sends its status and headers with the failure. */
  #fail(run: Run<Exchange>, error: unknown, exchange: Exchange | undefined, asker: Asker): void {
    // Work that a step began may fail outside any step; that step then counts as the failed one.
    const failedStep = run.failedStep < 0 && isOpened(asker) ? (exchange?.step ?? -1) : run.failedStep;
    const extra: ResultExtra = {
      error: { ...this.#errorOf(run, error, failedStep), ...detailOf(run, error) },
      ...(run.failedPreview === undefined ? {} : { preview: run.failedPreview }),
    };
    const head = exchange !== undefined && isHttp(asker) ? encodeHttpFailure(exchange, asker) : noHead;
    const refused = error instanceof WholeForm && asker === "webhook" ? Outcome.wholeForm : Outcome.failed;
    const outcome = run.withdrawn ? Outcome.withdrawn : run.cancelReason === undefined ? refused : Outcome.cancelled;
    const stores = isOpened(asker) && this.#keeps(run, asker);
    if (stores) this.#line.outbox.open().push(...keptFrame(run, asker, undefined));
    this.#push(run, outcome, head.status, noBody, head.headers, JSON.stringify(extra));
    if (isOpened(asker)) asker.fail(error, stores);
  }

  /** Whether the message is kept when the run fails. A test's is not. */
  #keeps(run: Run<Exchange>, asker: Asker): boolean {
    return this.#line.keepFailed && run.mocks === undefined && !(isOpened(asker) && asker.work.keeps === false);
  }

  #errorOf(run: Run<Exchange>, error: unknown, stepIndex: number): WireError {
    const step = this.#flow.manifest.steps[stepIndex];
    return {
      type: run.mask(exceptionType(error)),
      message: shownError(exceptionMessage(error), run.mask, this.#limits.eventBytes),
      stepId: step?.id ?? null,
      line: step?.at.line ?? null,
    };
  }

  /** The result of a failed run contains the preview already. */
  #failedPreview({ failedPreview }: Run<Exchange>, outcome: Outcome): string {
    return outcome !== Outcome.ok || failedPreview === undefined ? "" : JSON.stringify(failedPreview);
  }

  #push(run: Run<Exchange>, outcome: Outcome, status: number, answer: WireBody, headers: string, extra: string): void {
    const { timings, recording } = run;
    const { kind, body, moved } = answer;
    const frames = this.#line.outbox.open();
    if (recording !== undefined) frames.push(ToControl.steps, run.slot, JSON.stringify(recording.steps));
    if (run.failed > 0)
      frames.push(ToControl.failed, run.slot, run.failed, run.failedStep, this.#failedPreview(run, outcome));
    // One of its messages, and so the run, may stay in a group or a queue for long.
    run.recording = undefined;
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
    const tail = this.#line.outbox.tail();
    const first = tail.length;
    for (let i = 0; i + 2 < timings.length; i += 3) {
      const start = timings[i + 1] as number;
      tail.push(timings[i], Math.round(start * 1000), Math.round((timings[i + 2] as number) * 1000));
    }
    for (const place of run.failedTimings) tail[first + 3 * place] = ~(timings[3 * place] as number);
    if (moved !== undefined) this.#line.outbox.flush([moved]);
  }
}

/** A flow that records nothing keeps no answers of servers. */
function detailOf({ timed, mask }: Run<Exchange>, error: unknown): Pick<WireError, "detail"> {
  const detail = timed ? remoteAnswer(error, mask) : undefined;
  return detail === undefined ? {} : { detail };
}

const noBody: WireBody = { kind: BodyKind.none, body: null };
const noHead = { status: 0, headers: "" };

function isOpened(asker: Asker): asker is OpenedRun {
  return typeof asker === "object" && "work" in asker;
}

function isHttp(asker: Asker): asker is HttpAsker {
  return typeof asker === "object" && !isOpened(asker);
}
