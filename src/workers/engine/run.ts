/** One invocation in its thread: its limits, its cancelling, its cost, the place of its failure. */

import type { Limits } from "../../shared/limits.ts";
import {
  Interest,
  type Level,
  levels,
  type MessagePreview,
  mostHandled,
  type StepTraceType,
} from "../../shared/protocol.ts";
import { shownText } from "../../shared/redact.ts";
import { type Mask, noMask } from "../../shared/secret-mask.ts";
import type { Turn } from "./attended/turn.ts";
import { FlowException, limitExceeded } from "./exception.ts";
import { type Mappings, noMappings } from "./mappings.ts";
import type { RunMocks, RunRecording } from "./run-observers.ts";
import { type Meter, newMeter } from "./run-observers.ts";
import type { RunSink } from "./run-sink.ts";
import type { RunTransaction } from "./run-transaction.ts";
import type { SharedVariables } from "./shared-variables.ts";

/** The most step runs with a timing, normally and in a run that is recorded; further ones are only counted. */
const maxTimings = 256;
const maxRecordedTimings = 1000;

/**
 * The most branches of a run that run at the same time, not counting the first of each fan-out, since nested fan-outs
 * multiply.
 */
const mostTogether = 200;

/** `Exchange`: the type of the messages of its routes, which the run itself does not read. */
export class Run<Exchange> {
  readonly slot: number;
  readonly hops: number;
  readonly limits: Limits;
  readonly sink: RunSink<Exchange>;
  readonly began: number = performance.now();
  cpuMs = 0;
  /** The snapshot from the run's beginning. */
  mappings: Mappings<Exchange>;
  /** The variables that all runs of the flow share; undefined when its text names none. */
  shared: SharedVariables | undefined;
  /** Present: the run is in a test session. */
  mocks: RunMocks<Exchange> | undefined;
  /** Present: what its steps do in a database is done as a whole. */
  transaction: RunTransaction | undefined;
  /** Of the message that it began with; for messages that come over HTTP only their headers have it. */
  traceparent: string | undefined;
  /** Present: runs of its source begin and end in an order. */
  turn: Turn | undefined;
  /** true: its last step with an effect is under way, so that the next run may begin when that has handed on what it sends. */
  isLast = false;
  /** true: it was withdrawn, and its message runs again. */
  withdrawn = false;
  /** true: the run has been answered, and its slot may belong to another run. */
  over = false;
  /**
   * Step index, start after the run's begin, duration (ms): three numbers per step run, including those of its parts.
   */
  readonly timings: number[];
  /** The step that the run's failure came from; -1: none. */
  failedStep = -1;
  failedPreview: MessagePreview | undefined;
  /** The failure whose place is recorded already, as it passes further channels. */
  failure: unknown;
  /** The reason for which control has cancelled the run. */
  cancelReason: string | undefined;
  readonly #meter: Meter<Exchange>;
  /** The run that this is a part of. */
  readonly whole: Run<Exchange> | undefined;
  /** The begin of the run, or of the run that this is a part of. */
  readonly #origin: number;
  /** The error of every further step once the run must end, even in steps that catch failures. */
  #ended: FlowException | undefined;
  #controller: AbortController | undefined;
  #inSegment = false;

  /** `whole`: the run that this is a part of. */
  constructor(sink: RunSink<Exchange>, limits: Limits, slot: number, hops: number, whole?: Run<Exchange>) {
    this.mappings = whole?.mappings ?? noMappings;
    this.shared = whole?.shared;
    this.mocks = whole?.mocks;
    this.transaction = whole?.transaction;
    this.timings = whole?.timings ?? [];
    this.#origin = whole === undefined ? this.began : whole.#origin;
    this.#meter = whole === undefined ? newMeter() : whole.#meter;
    this.whole = whole;
    this.sink = sink;
    this.limits = limits;
    this.slot = slot;
    this.hops = hops;
  }

  /** Aborted when the run must end. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    const ended = this.#endedWith();
    if (ended !== undefined && !this.#controller.signal.aborted) this.#controller.abort(ended);
    return this.#controller.signal;
  }

  /** true: the run must end: cancelled, or after the most steps. Its failure is not handled, no step is tried again. */
  get cancelled(): boolean {
    return this.#endedWith() !== undefined;
  }

  /** Executed steps, including those of its parts. */
  get executed(): number {
    return this.#meter.executed;
  }

  /** Failed steps, including those whose failure was handled. */
  get failed(): number {
    return this.#meter.failed;
  }

  /** The indexes of the timings of failed steps. */
  get failedTimings(): readonly number[] {
    return this.#meter.failedTimings ?? [];
  }

  cancel(reason: string): void {
    this.cancelReason ??= reason;
    this.#end(new FlowException("RunCancelledException", `the run was cancelled: ${reason}`));
  }

  /** Called by a producer when what it sends is with its server's client, behind all that was handed to that before. */
  handedOver(): void {
    if (this.isLast) this.turn?.handOver();
  }

  /** Ends the run, whose message runs again, unless it has begun and was asked to end before. Returns what its steps fail with. */
  withdraw(reason: string, hasBegun: boolean): FlowException {
    this.withdrawn ||= !hasBegun || this.#ended === undefined;
    return this.#end(new FlowException("RunCancelledException", reason));
  }

  /** Called by the channel before each step. */
  enterStep(): void {
    // Control may request here that the run ends.
    this.sink.enter(this.slot);
    const ended = this.#endedWith();
    if (ended !== undefined) throw ended;
    this.#meter.executed += 1;
    this.sink.progress?.entered(this.slot, this.#meter.executed);
    if (this.#meter.executed > this.limits.stepsPerRun) {
      throw this.#end(limitExceeded("stepsPerRun", `a run executes at most ${this.limits.stepsPerRun} steps`));
    }
  }

  /**
   * Must be called before each effect that others can observe or that outlives the run. A lost run is not begun again
   * after it.
   */
  touched(): void {
    this.sink.touch?.(this.slot);
  }

  /** Takes a lane for another parallel branch; false: the run has the most lanes, so branches must take turns. */
  takeLane(): boolean {
    if (this.#meter.together >= mostTogether) return false;
    this.#meter.together += 1;
    return true;
  }

  giveLane(): void {
    this.#meter.together -= 1;
  }

  /** Present: messages of its steps, and of its parts' steps, are recorded. */
  get recording(): RunRecording<Exchange> | undefined {
    return this.#meter.recording;
  }

  set recording(recording: RunRecording<Exchange> | undefined) {
    this.#meter.recording = recording;
  }

  /** true: the times of its steps are recorded. */
  get timed(): boolean {
    return this.sink.recordSteps || this.recording !== undefined;
  }

  /** Returns the index of the timing; -1: too many. */
  noteTiming(step: number, startedAt: number, endedAt: number): number {
    const { timings } = this;
    const place = timings.length / 3;
    if (place >= (this.recording === undefined ? maxTimings : maxRecordedTimings)) return -1;
    timings.push(step, startedAt - this.#origin, endedAt - startedAt);
    return place;
  }

  /** Counts a failed step. `timing`: the result of `noteTiming`. */
  noteFailed(timing: number): void {
    const meter = this.#meter;
    meter.failed += 1;
    this.sink.progress?.failed(this.slot, meter.failed);
    if (timing < 0) return;
    meter.failedTimings ??= [];
    meter.failedTimings.push(timing);
  }

  /** Returns the step that the failure came from; `otherwise` if no channel has recorded it. */
  stepOf(error: unknown, otherwise: number): number {
    return this.failure === error && this.failedStep >= 0 ? this.failedStep : otherwise;
  }

  /** true: the run, or the run that it is a part of, has been answered. */
  get answered(): boolean {
    return this.over || this.whole?.over === true;
  }

  /** Returns false when the run has announced as many handled failures as it may. */
  takeHandled(): boolean {
    if (this.#meter.handled >= mostHandled) return false;
    this.#meter.handled += 1;
    return true;
  }

  /** Throws if one more `direct:` call would exceed the depth limit. */
  checkDepth(depth: number): void {
    if (depth + this.hops >= this.limits.directDepth) {
      throw limitExceeded("directDepth", `direct calls nest at most ${this.limits.directDepth} deep`);
    }
  }

  logs(level: Level): boolean {
    return levels.indexOf(level) >= this.sink.logLevel && level !== "OFF";
  }

  /** Removes secrets from the message; every log line of a flow passes here. */
  log(step: number, level: Level, logger: string, message: string, marker = ""): void {
    const { mask, limits } = this;
    const text = shownText(message, mask, limits.eventBytes);
    this.sink.log(this.slot, step, levels.indexOf(level), mask(logger), text, mask(marker));
  }

  /** Removes the flow's secrets from text that leaves the thread. */
  get mask(): Mask {
    return this.sink.mask ?? noMask;
  }

  /** true: the steps of runs are watched. */
  get traced(): boolean {
    return (this.sink.interest & Interest.trace) !== 0;
  }

  trace(type: StepTraceType, step: number, durationMs: number, extra: string): void {
    this.sink.trace(this.slot, type, step, durationMs, extra);
  }

  /** Reports which branch a step took: the index of a choice's `when`, -1 for `otherwise`. */
  branchTaken(step: number, branch: number): void {
    if (this.traced) this.trace("branch.taken", step, 0, `{"branch":${branch}}`);
  }

  /** Begins a segment of synchronous work. Only the outermost one counts. */
  beginSegment(): number {
    if (this.#inSegment) return -1;
    this.#inSegment = true;
    const began = performance.now();
    this.sink.progress?.working(this.slot, began);
    return began;
  }

  endSegment(began: number): void {
    if (began < 0) return;
    this.#inSegment = false;
    const ms = performance.now() - began;
    this.cpuMs += ms;
    this.sink.progress?.worked(this.slot, ms);
  }

  /** A part ends with its run, even while none of its steps waits on the signal. */
  #endedWith(): FlowException | undefined {
    if (this.#ended !== undefined || this.whole === undefined) return this.#ended;
    return this.whole.#endedWith();
  }

  #end(error: FlowException): FlowException {
    this.#ended ??= error;
    this.#controller?.abort(this.#ended);
    this.turn?.abandon();
    return this.#ended;
  }
}
