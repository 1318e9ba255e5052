/** What was recorded of a run's steps, read as from a stranger (thread-frames.ts). */
import { parseExactly } from "../../shared/exact-json.ts";
import { objectOf, stepOf, text, whole } from "../../shared/frame-values.ts";
import type { Limits } from "../../shared/limits.ts";
import type { RecordedError, StepRecord } from "../../shared/mock.ts";
import { KeptMessage, KeptStep } from "./kept-step.ts";
import { mostTimings } from "./result-frame.ts";
import { cutTo, mostName } from "./thread-frames.ts";

/** One for each timing, the run's own, and endpoints. */
const mostSteps = mostTimings / 3 + 200;
/** Two for each step that a thread notes, with or without a timing. */
const mostMessages = 5000;
const mostUri = 2000;

/** `json`: of a `steps` frame. Of a run's messages only the number and the length are looked at: each is read when somebody asks for it. */
export function readSteps(json: string, { runRecordBytes, previewBytes }: Limits): readonly StepRecord[] {
  // Each message is JSON inside of JSON, which may double it.
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
    const { timing, mocked, outbound, omitted, uri, in: received, out, error } = objectOf(one);
    const flags = { mocked: flagOf(mocked), outbound: flagOf(outbound), omitted: flagOf(omitted) };
    const endpoint = uri === undefined ? undefined : cutTo(text(uri, "a uri"), mostUri);
    return new KeptStep(
      { timing: stepOf(timing), uri: endpoint, ...flags },
      messageAt(received),
      messageAt(out),
      error === undefined ? undefined : readRecordedError(error, 8 * previewBytes + mostName),
    );
  });
}

/** `mostPart`: characters of an answer's body, and of its headers. */
function readRecordedError(told: unknown, mostPart: number): RecordedError {
  const { type, message, statusCode, responseBody, responseHeaders, cut, redacted } = objectOf(told);
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
