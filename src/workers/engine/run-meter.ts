/** What a run and its parts have together. */
import type { RunRecording } from "./run-recording.ts";

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
