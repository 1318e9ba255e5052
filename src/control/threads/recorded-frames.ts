/** What a thread has recorded of steps and mocks, read as from a stranger (thread-frames.ts). */
import { parseExactly } from "../../shared/exact-json.ts";
import { amount, objectOf, text, whole } from "../../shared/frame-values.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MockedCall, MockSet, RecordedError, RecordedMessage } from "../../shared/mock.ts";
import { readAction } from "./thread-frames.ts";

type Told = Readonly<Record<string, unknown>>;

/** What threads record is flatter; what is deeper than this might not be written down again. */
const mostDepth = 100;

/** A character may need six in JSON, and a call has two messages, the properties and an error. */
function mostCharacters({ recordedBytes, eventBytes }: Limits): number {
  return 6 * (4 * recordedBytes + eventBytes) + 10_000;
}

/** `json`: of a `mocked` frame. Throws for what is none of this set's. */
export function readMocked(json: string, { mocks }: MockSet, limits: Limits): MockedCall {
  if (json.length > mostCharacters(limits)) throw new Error("a call is longer than it may be");
  const { seq, mock: index, stepId, routeId, action, at: time, durationMs, ...told } = objectOf(parseExactly(json));
  const number = whole(index, "a mock");
  const mock = mocks[number];
  if (mock === undefined) throw new Error("a call is of a mock of its session");
  const request = objectOf(told["request"]);
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
    response: told["response"] === null ? null : readResponse(objectOf(told["response"])),
    error: told["error"] === null ? null : readRecordedError(objectOf(told["error"])),
  };
}

function readResponse(told: Told): NonNullable<MockedCall["response"]> {
  const { status } = told;
  return { ...readRecordedMessage(told), ...(status === undefined ? {} : { status: whole(status, "a status") }) };
}

export function readRecordedMessage({ headers, body, bodyType, encoding, cut, redacted }: Told): RecordedMessage {
  return {
    headers: flatEnough(objectOf(headers)),
    body: flatEnough(body ?? null),
    bodyType: text(bodyType, "a body's type"),
    ...(encoding === "base64" ? { encoding } : {}),
    ...(cut === true ? { cut } : {}),
    ...(redacted === true ? { redacted } : {}),
  };
}

export function readRecordedError({ type, message, ...told }: Told): RecordedError {
  const { statusCode, responseBody, responseHeaders, cut, redacted } = told;
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
