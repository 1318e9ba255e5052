/** A run's result and the times of its steps behind it, read as from a stranger (thread-frames.ts). */

import { type Frames, widthOf } from "../../../shared/frame-shape.ts";
import { amount, objectOf, stepOf } from "../../../shared/frame-values.ts";
import { controlFields, toControl } from "../../../shared/frames-to-control.ts";
import type { Limits } from "../../../shared/limits.ts";
import { Outcome } from "../../../shared/protocol.ts";
import type { InvocationResult } from "../invocation.ts";
import { bodyOf, readError, readFailedPreview } from "./thread-frames.ts";

const { result } = controlFields;
const width = widthOf(toControl.result);

/** Numbers of a step run, three each, that come with a result: no thread notes as many. */
export const mostTimings = 3000;

const noneFailed: readonly number[] = [];

/** `at`: index of the frame's number. */
export function readResult(frames: Frames, at: number, limits: Limits): InvocationResult {
  const outcome = result.outcome(frames, at);
  const status = result.status(frames, at);
  if (status !== 0 && (status < 200 || status > 599)) throw new Error("a status is from 200 to 599");
  const extra = result.extra(frames, at);
  const bodyKind = result.bodyKind(frames, at);
  const failure = outcome === Outcome.ok || extra === "" ? undefined : objectOf(JSON.parse(extra));
  return {
    outcome,
    httpStatus: status,
    bodyKind,
    body: bodyOf(bodyKind, result.body(frames, at)),
    headers: result.headers(frames, at),
    stepsExecuted: result.steps(frames, at),
    cpuMs: result.cpu(frames, at) / 1000,
    ...readTimings(frames, at + width, timingCount(frames, at)),
    error: failure?.error === undefined ? null : readError(failure.error, limits),
    preview: failure?.preview === undefined ? null : readFailedPreview(failure.preview, limits),
    reply: outcome === Outcome.ok ? extra : "",
  };
}

/** How many numbers follow a result's fields. */
export function timingCount(frames: Frames, at: number): number {
  const count = result.timings(frames, at);
  if (count > mostTimings || count % 3 !== 0 || at + width + count > frames.length) {
    throw new Error(`${count} timings are announced that do not follow`);
  }
  return count;
}

/** Step index (`~index` of one that failed), start, duration; three numbers per step run, microseconds as milliseconds. */
export function readTimings(
  frames: Frames,
  from: number,
  count: number,
): Pick<InvocationResult, "timings" | "failedTimings"> {
  const timings: number[] = [];
  const failed: number[] = [];
  for (let i = from; i < from + count; i += 3) {
    const step = frames[i];
    const hasFailed = typeof step === "number" && step < 0;
    if (hasFailed) failed.push((i - from) / 3);
    timings.push(
      stepOf(hasFailed ? ~step : step),
      amount(frames[i + 1], "a start") / 1000,
      amount(frames[i + 2], "a duration") / 1000,
    );
  }
  return { timings, failedTimings: failed.length === 0 ? noneFailed : failed };
}
