/** One invocation while it runs in its thread: its limits, its cancelling, what it cost, where it failed. */

import type { Limits } from "../../shared/limits.ts";
import {
  Interest,
  type Level,
  levels,
  type MessagePreview,
  mostHandled,
  type RouteAction,
  type StepTraceType,
} from "../../shared/protocol.ts";
import { shownText } from "../../shared/redact.ts";
import { type Mask, noMask } from "../../shared/secret-mask.ts";
import { FlowException, limitExceeded } from "./exception.ts";
import { type Mappings, noMappings } from "./mappings.ts";
import type { RunMocks, RunProgress, RunRecording } from "./run-observers.ts";
import { type Meter, newMeter } from "./run-observers.ts";

/** Where a run's news goes: the thread's line to control. */
export interface RunSink<Exchange> {
  /** Bits of `Interest`. */
  readonly interest: number;
  /** Index into `levels`. */
  readonly logLevel: number;
  /** false: the flow records nothing of its runs but their end. */
  readonly recordSteps: boolean;
  /** What the thread tells of its messages goes through it; absent: the flow has no secrets. */
  readonly mask?: Mask;
  enter(slot: number): void;
  /** Absent: nobody asks how far runs have come. */
  readonly progress?: RunProgress;
  /** The slot's run is about to do something that a second run would do again. Absent: nobody would begin it again. */
  touch?(slot: number): void;
  /** An endpoint that leaves the flow is called. Absent: nobody counts. */
  calledOut?(): void;
  log(slot: number, step: number, level: number, logger: string, message: string): void;
  trace(slot: number, type: StepTraceType, step: number, durationMs: number, extra: string): void;
  /** A failure that the flow has handled: the run goes on. Absent: nobody keeps them. */
  handled?(slot: number, step: number, type: string, message: string, by: string, answer: string): void;
  /** Calls a `direct:` consumer of another flow with the exchange and takes its reply into it. */
  call(slot: number, name: string, exchange: Exchange): Promise<void>;
  /**
   * Present: the flow's routes can be started and stopped. Resolves with the state that the route (counted as in the manifest) is in
   * then; rejects when nothing can be done. `delayMs`: of a restart, from the stop to the start.
   */
  route?(slot: number, routeIndex: number, action: RouteAction, delayMs: number): Promise<string>;
}

/** Step runs that are noted, and those of a run that is recorded; further ones are only counted. */
const maxTimings = 256;
const maxRecordedTimings = 1000;

/** Branches of a run, beside the first of each fan-out, that are under way at the same time: fan-outs inside each other multiply. */
const mostTogether = 200;

const none: readonly number[] = [];

/** `Exchange`: the messages of its routes; only those who handle them know more of it. */
export class Run<Exchange> {
  readonly slot: number;
  readonly hops: number;
  readonly limits: Limits;
  readonly sink: RunSink<Exchange>;
  readonly began: number = performance.now();
  cpuMs = 0;
  /** As they were when it began. */
  mappings: Mappings<Exchange>;
  /** Present: it is in a test session. */
  mocks: RunMocks<Exchange> | undefined;
  /** It has been answered: its slot may be another run's by now. */
  over = false;
  /** Step index, start after the run's begin, duration (ms); three numbers per step run, those of its parts included. */
  readonly timings: number[];
  /** The step that the run's failure came from, -1 when none has. */
  failedStep = -1;
  failedPreview: MessagePreview | undefined;
  /** The failure whose place has been noted: it passes more channels on its way out. */
  failure: unknown;
  /** Why control has cancelled it. */
  cancelReason: string | undefined;
  readonly #meter: Meter<Exchange>;
  readonly #whole: Run<Exchange> | undefined;
  /** When the run began that this is, or is a part of. */
  readonly #origin: number;
  /** What every step fails with from now on, whatever catches failures. */
  #ended: FlowException | undefined;
  #controller: AbortController | undefined;
  #inSegment = false;

  /** `whole`: the run that this is a part of. */
  constructor(sink: RunSink<Exchange>, limits: Limits, slot: number, hops: number, whole?: Run<Exchange>) {
    this.mappings = whole?.mappings ?? noMappings;
    this.mocks = whole?.mocks;
    this.timings = whole?.timings ?? [];
    this.#origin = whole === undefined ? this.began : whole.#origin;
    this.#meter = whole === undefined ? newMeter() : whole.#meter;
    this.#whole = whole;
    this.sink = sink;
    this.limits = limits;
    this.slot = slot;
    this.hops = hops;
  }

  /** Aborted when the run must end: for steps that wait. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    const ended = this.#endedWith();
    if (ended !== undefined && !this.#controller.signal.aborted) this.#controller.abort(ended);
    return this.#controller.signal;
  }

  /** It must end: it is cancelled, or has executed all the steps that it may. No failure of it is handled or tried again. */
  get cancelled(): boolean {
    return this.#endedWith() !== undefined;
  }

  /** Steps executed, those of its parts included. */
  get executed(): number {
    return this.#meter.executed;
  }

  /** Steps that have failed, those whose failure was handled included. */
  get failed(): number {
    return this.#meter.failed;
  }

  /** Which of the timings are of steps that have failed. */
  get failedTimings(): readonly number[] {
    return this.#meter.failedTimings ?? none;
  }

  cancel(reason: string): void {
    this.cancelReason ??= reason;
    this.#end(new FlowException("RunCancelledException", `the run was cancelled: ${reason}`));
  }

  /** Called by the channel before each step. */
  enterStep(): void {
    // Control may ask in here that the run ends.
    this.sink.enter(this.slot);
    const ended = this.#endedWith();
    if (ended !== undefined) throw ended;
    this.#meter.executed += 1;
    this.sink.progress?.entered(this.slot, this.#meter.executed);
    if (this.#meter.executed > this.limits.stepsPerRun) {
      throw this.#end(limitExceeded("stepsPerRun", `a run executes at most ${this.limits.stepsPerRun} steps`));
    }
  }

  /** To be called before each effect that outlives the run, or that others see: a run that is lost after it is not begun again. */
  touched(): void {
    this.sink.touch?.(this.slot);
  }

  /** One more branch beside others; false: so many are under way in the run that they must take turns. */
  takeLane(): boolean {
    if (this.#meter.together >= mostTogether) return false;
    this.#meter.together += 1;
    return true;
  }

  giveLane(): void {
    this.#meter.together -= 1;
  }

  /** Present: the messages of its steps, and of its parts', are kept. */
  get recording(): RunRecording<Exchange> | undefined {
    return this.#meter.recording;
  }

  set recording(recording: RunRecording<Exchange> | undefined) {
    this.#meter.recording = recording;
  }

  /** The times of its steps are noted. */
  get timed(): boolean {
    return this.sink.recordSteps || this.recording !== undefined;
  }

  /** Which of the timings it is; -1: there are too many. */
  noteTiming(step: number, startedAt: number, endedAt: number): number {
    const { timings } = this;
    const place = timings.length / 3;
    if (place >= (this.recording === undefined ? maxTimings : maxRecordedTimings)) return -1;
    timings.push(step, startedAt - this.#origin, endedAt - startedAt);
    return place;
  }

  /** A step has failed. `timing`: as `noteTiming` has answered it. */
  noteFailed(timing: number): void {
    const meter = this.#meter;
    meter.failed += 1;
    this.sink.progress?.failed(this.slot, meter.failed);
    if (timing < 0) return;
    meter.failedTimings ??= [];
    meter.failedTimings.push(timing);
  }

  /** The step that the failure came from; `otherwise`, when no channel has noted it. */
  stepOf(error: unknown, otherwise: number): number {
    return this.failure === error && this.failedStep >= 0 ? this.failedStep : otherwise;
  }

  /** It, or the run that it is a part of, has been answered. */
  get answered(): boolean {
    return this.over || this.#whole?.over === true;
  }

  /** false: as many failures that were handled have been announced as a run may. */
  takeHandled(): boolean {
    if (this.#meter.handled >= mostHandled) return false;
    this.#meter.handled += 1;
    return true;
  }

  /** Throws when an exchange of the run must not go one `direct:` call deeper. */
  checkDepth(depth: number): void {
    if (depth + this.hops >= this.limits.directDepth) {
      throw limitExceeded("directDepth", `direct calls nest at most ${this.limits.directDepth} deep`);
    }
  }

  logs(level: Level): boolean {
    return levels.indexOf(level) >= this.sink.logLevel && level !== "OFF";
  }

  /** Secrets are taken out of the message here: every log line of a flow passes. */
  log(step: number, level: Level, logger: string, message: string): void {
    const { mask, limits } = this;
    this.sink.log(this.slot, step, levels.indexOf(level), mask(logger), shownText(message, mask, limits.eventBytes));
  }

  /** Takes the flow's secrets out of text that leaves the thread. */
  get mask(): Mask {
    return this.sink.mask ?? noMask;
  }

  /** Whether somebody watches the steps of runs. */
  get traced(): boolean {
    return (this.sink.interest & Interest.trace) !== 0;
  }

  trace(type: StepTraceType, step: number, durationMs: number, extra: string): void {
    this.sink.trace(this.slot, type, step, durationMs, extra);
  }

  /** Tells which branch a step took: the index of a choice's `when`, -1 for `otherwise`. */
  branchTaken(step: number, branch: number): void {
    if (this.traced) this.trace("branch.taken", step, 0, `{"branch":${branch}}`);
  }

  /** Begins a stretch of synchronous work; the outermost one counts. */
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

  /** A part ends with its run, even while none of its steps waits and could hear a signal. */
  #endedWith(): FlowException | undefined {
    if (this.#ended !== undefined || this.#whole === undefined) return this.#ended;
    return this.#whole.#endedWith();
  }

  #end(error: FlowException): FlowException {
    this.#ended ??= error;
    this.#controller?.abort(this.#ended);
    return this.#ended;
  }
}
