/**
 * Interfaces that a run reports to during its steps: its recording, the mocks of its session, its progress; and the
 * counts that its parts share.
 */

import type { WireSteps } from "../../shared/mock.ts";

/** Records the steps of a run whose flow records everything, or that is in a test session. */
export interface RunRecording<Exchange> {
  /**
   * A step begins, by its index in the flow's step table. Returns the entry for `left` and `failed`. The exchange is
   * still in the enclosing step.
   */
  entered(exchange: Exchange, step: number): number;
  /** A mock answered or observed the step that the exchange is in. */
  mocked(exchange: Exchange): void;
  /** Calls something outside the flow. `uri`: in normal form; `step`: the step that calls, -1 for none. */
  callOut(
    exchange: Exchange,
    uri: string,
    step: number,
    send: (exchange: Exchange) => void | Promise<void>,
  ): void | Promise<void>;
  /** `timing`: the index of the step's timing in the run; -1: none, because there are too many. */
  left(entry: number, exchange: Exchange, timing: number): void;
  failed(entry: number, exchange: Exchange, timing: number, error: unknown): void;
  /** Records the message that the run begins with, and the one that it ends with. */
  began(exchange: Exchange): void;
  ended(exchange: Exchange, error: unknown): void;
  readonly steps: WireSteps;
}

/** Called by a run of a test session before each step and each endpoint. */
export interface RunMocks<Exchange> {
  /** Runs the step, or a mock in its place. `index`: in the flow's step table. */
  step(exchange: Exchange, index: number, step: Act<Exchange>): void | Promise<void>;
  /** Sends to an endpoint, or runs a mock in its place. `uris`: in normal form, and as written. */
  send(exchange: Exchange, uris: readonly string[], send: Act<Exchange>): void | Promise<void>;
}

/** A Processor. */
type Act<Exchange> = (exchange: Exchange) => void | Promise<void>;

/** Publishes the progress of runs that are under way. Each call writes a few words. */
export interface ProgressReport {
  /** A step begins; `executed` includes it. */
  entered(slot: number, executed: number): void;
  /** A step has failed; `failed` includes it. */
  failed(slot: number, failed: number): void;
  /** A segment of synchronous work begins; times are of `performance.now()`. */
  working(slot: number, now: number): void;
  /** The segment is over after `ms`. */
  worked(slot: number, ms: number): void;
  /**
   * A split begins; `parts` undefined: their number is unknown. Returns false if another split of the run is counted
   * already.
   */
  beginSplit(slot: number, parts: number | undefined): boolean;
  /** A part of the counted split has ended; all of them have ended. */
  tookPart(slot: number): void;
  endSplit(slot: number): void;
}

/** Counts that a run and its parts share. */
export interface Meter<Exchange> {
  executed: number;
  failed: number;
  /** The indexes of the timings of failed steps. */
  failedTimings: number[] | undefined;
  handled: number;
  together: number;
  recording: RunRecording<Exchange> | undefined;
}

export function newMeter<Exchange>(): Meter<Exchange> {
  return { executed: 0, failed: 0, failedTimings: undefined, handled: 0, together: 0, recording: undefined };
}
