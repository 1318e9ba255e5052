/** What a run reports to and asks while it is under way: its recording, the mocks of its session, its progress; and what its parts count together. */

import type { WireSteps } from "../../shared/mock.ts";

/** What is kept of the steps of a run whose flow records everything, or that is in a test session. */
export interface RunRecording<Exchange> {
  /** A step begins, an index into the flow's step table; returns the entry that `left` and `failed` take. The exchange is still in the step around it. */
  entered(exchange: Exchange, step: number): number;
  /** A mock answered in place of the step that the exchange is in, or looked on. */
  mocked(exchange: Exchange): void;
  /** Calls something outside of the flow. `uri`: in normal form; `step`: the one that does it, -1 when none does. */
  callOut(
    exchange: Exchange,
    uri: string,
    step: number,
    send: (exchange: Exchange) => void | Promise<void>,
  ): void | Promise<void>;
  /** `timing`: which of the run's timings is the step's; -1: none, there are too many. */
  left(entry: number, exchange: Exchange, timing: number): void;
  failed(entry: number, exchange: Exchange, timing: number, error: unknown): void;
  /** The run begins with this message, and ends with it. */
  began(exchange: Exchange): void;
  ended(exchange: Exchange, error: unknown): void;
  readonly steps: WireSteps;
}

/** What a run of a test session asks before each step and each endpoint. */
export interface RunMocks<Exchange> {
  /** The step, or what a mock does in its place. `index`: into the flow's step table. */
  step(exchange: Exchange, index: number, step: Act<Exchange>): void | Promise<void>;
  /** The sending to an endpoint, or what a mock does in its place. `uris`: in normal form, and as written. */
  send(exchange: Exchange, uris: readonly string[], send: Act<Exchange>): void | Promise<void>;
}

/** As a Processor does. */
type Act<Exchange> = (exchange: Exchange) => void | Promise<void>;

/** Where it is written down how far runs have come, for whoever asks while they are under way. Each costs a few words. */
export interface RunProgress {
  /** A step begins; `executed` counts it. */
  entered(slot: number, executed: number): void;
  /** A step has failed; `failed` counts it. */
  failed(slot: number, failed: number): void;
  /** A stretch of synchronous work begins, in `performance.now()` time. */
  working(slot: number, now: number): void;
  /** It is over, and has taken `ms`. */
  worked(slot: number, ms: number): void;
  /** A split begins; undefined: how many parts it has is not known. false: one that is under way in the run is counted already. */
  beginSplit(slot: number, parts: number | undefined): boolean;
  /** Of the split that is counted: a part has ended; all have. */
  tookPart(slot: number): void;
  endSplit(slot: number): void;
}

/** What a run and its parts have together. */
export interface Meter<Exchange> {
  executed: number;
  failed: number;
  /** The places of the timings of steps that have failed. */
  failedTimings: number[] | undefined;
  handled: number;
  together: number;
  recording: RunRecording<Exchange> | undefined;
}

export function newMeter<Exchange>(): Meter<Exchange> {
  return { executed: 0, failed: 0, failedTimings: undefined, handled: 0, together: 0, recording: undefined };
}
