/** A run's result and the times of its steps behind it, read as from a stranger (thread-frames.ts). */
import type { InvocationResult } from "../../shared/invocation.ts";
import type { Limits } from "../../shared/limits.ts";
import { Outcome } from "../../shared/protocol.ts";
import {
  amount,
  answerKinds,
  bodyOf,
  kindOf,
  objectOf,
  readError,
  readFailedPreview,
  stepOf,
  text,
  whole,
} from "./thread-frames.ts";

type Frames = readonly unknown[];

/** Numbers of a step run, three each, that come with a result: no thread notes as many. */
export const mostTimings = 3000;

const outcomes: readonly Outcome[] = Object.values(Outcome);
const noneFailed: readonly number[] = [];

/** `at` is the index of a frame's first field. */
export function readResult(frames: Frames, at: number, limits: Limits): InvocationResult {
  const outcome = frames[at + 1] as Outcome;
  if (!outcomes.includes(outcome)) throw new Error("a result has an outcome");
  const status = whole(frames[at + 2], "a status");
  if (status !== 0 && (status < 200 || status > 599)) throw new Error("a status is from 200 to 599");
  const extra = text(frames[at + 8], "extra");
  const bodyKind = kindOf(frames[at + 3], answerKinds);
  const failure = outcome === Outcome.ok || extra === "" ? undefined : objectOf(JSON.parse(extra));
  return {
    outcome,
    httpStatus: status,
    bodyKind,
    body: bodyOf(bodyKind, frames[at + 4]),
    headers: text(frames[at + 5], "headers"),
    stepsExecuted: whole(frames[at + 6], "steps"),
    cpuMs: amount(frames[at + 7], "cpu") / 1000,
    ...readTimings(frames, at + 10, timingCount(frames, at)),
    error: failure?.error === undefined ? null : readError(failure.error, limits),
    preview: failure?.preview === undefined ? null : readFailedPreview(failure.preview, limits),
    reply: outcome === Outcome.ok ? extra : "",
  };
}

/** How many numbers follow a result's fields. */
export function timingCount(frames: Frames, at: number): number {
  const count = whole(frames[at + 9], "the number of timings");
  if (count > mostTimings || count % 3 !== 0 || at + 10 + count > frames.length) {
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
