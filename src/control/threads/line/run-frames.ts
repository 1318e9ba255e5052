/**
 * What a thread reports of a run: its result, the times of its steps, and what was recorded of steps and mocks. All of it is read as from a
 * stranger (thread-frames.ts).
 */

import { parseExactly } from "../../../shared/exact-json.ts";
import { type Frames, widthOf } from "../../../shared/frame-shape.ts";
import { amount, bodyOf, objectOf, stepOf, text, whole } from "../../../shared/frame-values.ts";
import { controlFields, toControl } from "../../../shared/frames-to-control.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { MockedCall, MockSet, RecordedError, RecordedMessage, StepRecord } from "../../../shared/mock.ts";
import { Outcome } from "../../../shared/protocol.ts";
import type { InvocationResult } from "../invocation.ts";
import { KeptMessage, KeptStep } from "../kept-step.ts";
import { readShownAttachments } from "../sent-attachments.ts";
import { cutTo, mostName, readAction, readError, readFailedPreview } from "./thread-frames.ts";

const { result } = controlFields;
const width = widthOf(toControl.result);

/** The most timings of a result, three numbers per execution of a step. Threads of the runtime note fewer. */
export const mostTimings = 3000;

const noneFailed: readonly number[] = [];

/** Reads a result. `at`: index of the frame's number. */
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

/** Returns how many timings follow the fields of a result. Throws when the message has fewer. */
export function timingCount(frames: Frames, at: number): number {
  const count = result.timings(frames, at);
  if (count > mostTimings || count % 3 !== 0 || at + width + count > frames.length) {
    throw new Error(`${count} timings are announced that do not follow`);
  }
  return count;
}

/** Reads step index (`~index` if it failed), start and duration: three numbers per execution of a step. Microseconds become milliseconds. */
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

type Sent = Readonly<Record<string, unknown>>;

/** The deepest nesting of a recorded value. Threads record flatter values; a deeper one may be too deep to be written as JSON again. */
const mostDepth = 100;

/** The most recorded steps of a run: one for each timing, one for the run itself, and endpoints. */
const mostSteps = mostTimings / 3 + 200;
/** The most recorded messages of a run: two for each step that a thread notes, with or without a timing. */
const mostMessages = 5000;
const mostUri = 2000;

/** The most characters of a recorded call: a character may need six in JSON, and a call has two messages, properties and an error. */
function mostCharacters({ recordedBytes, eventBytes }: Limits): number {
  return 6 * (4 * recordedBytes + eventBytes) + 10_000;
}

/** Reads a recorded call. `json`: of a `mocked` frame. Throws when no mock of this set can have been called. */
export function readMocked(json: string, { mocks }: MockSet, limits: Limits): MockedCall {
  if (json.length > mostCharacters(limits)) throw new Error("a call is longer than it may be");
  const { seq, mock: index, stepId, routeId, action, at: time, durationMs, ...sent } = objectOf(parseExactly(json));
  const number = whole(index, "a mock");
  const mock = mocks[number];
  if (mock === undefined) throw new Error("a call is of a mock of its session");
  const request = objectOf(sent["request"]);
  const { uri, properties } = request;
  return {
    seq: whole(seq, "a call's number"),
    mock: number,
    target: mock.target,
    stepId: text(stepId, "a step's id"),
    routeId: text(routeId, "a route's id"),
    action: readAction(action),
    at: amount(time, "a time"),
    durationMs: amount(durationMs, "a duration"),
    request: {
      ...readRecordedMessage(request),
      ...(uri === undefined ? {} : { uri: text(uri, "a uri") }),
      properties: flatEnough(objectOf(properties)),
    },
    response: sent["response"] === null ? null : readResponse(objectOf(sent["response"])),
    error: sent["error"] === null ? null : readRecordedError(objectOf(sent["error"])),
  };
}

function readResponse(sent: Sent): NonNullable<MockedCall["response"]> {
  const { status } = sent;
  return { ...readRecordedMessage(sent), ...(status === undefined ? {} : { status: whole(status, "a status") }) };
}

function readRecordedMessage({ headers, body, bodyType, encoding, attachments, cut, redacted }: Sent): RecordedMessage {
  return {
    headers: flatEnough(objectOf(headers)),
    body: flatEnough(body ?? null),
    bodyType: text(bodyType, "a body's type"),
    ...(encoding === "base64" ? { encoding } : {}),
    ...(attachments === undefined ? {} : { attachments: readShownAttachments(attachments) }),
    ...(cut === true ? { cut } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function readRecordedError({ type, message, ...sent }: Sent): RecordedError {
  const { statusCode, responseBody, responseHeaders, cut, redacted } = sent;
  return {
    type: text(type, "an error's type"),
    message: text(message, "an error's message"),
    ...(statusCode === undefined ? {} : { statusCode: whole(statusCode, "a status") }),
    ...(responseBody === undefined ? {} : { responseBody: flatEnough(responseBody) }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: flatEnough(objectOf(responseHeaders)) }),
    ...(cut === true ? { cut } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function flatEnough<T>(value: T): T {
  if (isDeeper(value, mostDepth)) throw new Error("what is recorded is nested too deep");
  return value;
}

export function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** Reads recorded steps. `json`: of a `steps` frame. Of the messages only number and length are checked: each is parsed when it is read. */
export function readSteps(json: string, { runRecordBytes, previewBytes }: Limits): readonly StepRecord[] {
  // Each message is JSON within JSON, whose escapes may double its length.
  if (json.length > 2 * runRecordBytes + mostSteps * mostName) throw new Error("the steps of a run are too long");
  const { messages, steps } = objectOf(parseExactly(json));
  const texts = listOf(messages, mostMessages).map((one) => text(one, "a message"));
  if (texts.reduce((sum, { length }) => sum + length, 0) > runRecordBytes) throw new Error("messages are too long");
  const kept = texts.map((one) => new KeptMessage(one));
  const messageAt = (index: unknown): KeptMessage | undefined => {
    if (index === undefined) return undefined;
    const message = kept[whole(index, "a message's index")];
    if (message === undefined) throw new Error("a message is missing");
    return message;
  };
  return listOf(steps, mostSteps).map((one) => {
    const { timing, mocked, outbound, omitted, sameBody, uri, in: received, out, error } = objectOf(one);
    const flags = {
      ...{ mocked: flagOf(mocked), outbound: flagOf(outbound) },
      ...{ omitted: flagOf(omitted), sameBody: flagOf(sameBody) },
    };
    const endpoint = uri === undefined ? undefined : cutTo(text(uri, "a uri"), mostUri);
    return new KeptStep(
      { timing: stepOf(timing), uri: endpoint, ...flags },
      messageAt(received),
      messageAt(out),
      error === undefined ? undefined : readStepError(error, 8 * previewBytes + mostName),
    );
  });
}

/** Reads the error of a step. `mostPart`: the most characters of an answer's body, and of its headers. */
function readStepError(sent: unknown, mostPart: number): RecordedError {
  const { type, message, statusCode, responseBody, responseHeaders, cut, redacted } = objectOf(sent);
  for (const part of [responseBody, responseHeaders]) {
    if (part !== undefined && JSON.stringify(part).length > mostPart)
      throw new Error("an answer is longer than it may be");
  }
  return {
    type: cutTo(text(type, "an error's type"), mostName),
    message: text(message, "an error's message"),
    ...(statusCode === undefined ? {} : { statusCode: whole(statusCode, "a status") }),
    ...(responseBody === undefined ? {} : { responseBody }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: objectOf(responseHeaders) }),
    ...(cut === true ? { cut } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

function listOf(value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new Error(`a list has at most ${most} members`);
  return value;
}

function flagOf(value: unknown): true | undefined {
  return value === true ? true : undefined;
}
