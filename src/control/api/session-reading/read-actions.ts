/** What a mock does: `respond`, `throw`, `spy`, in their long and short forms. */
import type { MockAction, MockExpression, RespondAction, ThrowAction } from "../../../shared/mock.ts";
import { misspelt } from "../../../shared/suggest.ts";
import { base64Pattern } from "./bounds.ts";
import { isFields, type Part, present, type Reading } from "./reading.ts";

export const actionNames = ["respond", "throw", "spy"] as const;

const respondFields = ["body", "bodyBase64", "expression", "headers", "status", "delayMs"];
const throwFields = ["type", "message", "statusCode", "status", "responseBody", "responseHeaders", "delayMs"];
/** Of HttpOperationFailedException only. */
const httpFields = ["statusCode", "status", "responseBody", "responseHeaders"];

/** Some servers answer beyond 599, and a recorded run is replayed as it was. */
const mostThrownStatus = 999;
const mostDelayMs = 60_000;
const mostText = 10_000;

/** Names of fields that belong one level further down. */
export const actionHints: Readonly<Record<string, string>> = {
  ...Object.fromEntries(throwFields.map((name) => [name, "it belongs into throw"])),
  ...Object.fromEntries(respondFields.map((name) => [name, "it belongs into respond"])),
  delayMs: "it belongs into respond or throw",
  status: "it belongs into respond or throw",
};

/** What `part` says under the name of an action. */
export function readAction(part: Part, name: (typeof actionNames)[number]): MockAction | undefined {
  const value = part.value(name);
  const place = part.at(name);
  if (name === "respond") return readRespond(value, place, part.reading);
  if (name === "throw") return readThrow(value, place, part.reading);
  if (value === true) return { kind: "spy" };
  return part.bad("spy", "true is expected: the real step runs and is recorded");
}

/** A value that has none of the fields is the body. */
function readRespond(value: unknown, place: string, reading: Reading): RespondAction | undefined {
  if (!isFields(value) || !respondFields.some((name) => Object.hasOwn(value, name))) {
    warnOfMisspelt(value, place, reading);
    return { kind: "respond", body: value };
  }
  const part = reading.part(value, place, respondFields);
  if (part === undefined) return undefined;
  const bodies = respondFields.slice(0, 3).filter((name) => part.has(name));
  if (bodies.length > 1) reading.bad(place, `one of ${bodies.join(" and ")}, not both, says what the body is`);
  const expression = part.value("expression");
  return {
    kind: "respond",
    ...present({
      body: part.value("body"),
      bodyBase64: readBase64(part),
      expression: expression === undefined ? undefined : readExpression(expression, part.at("expression"), reading),
      headers: part.object("headers", "an object of headers by name, null to remove one,"),
      status: part.whole("status", 100, 599),
      delayMs: part.whole("delayMs", 0, mostDelayMs),
    }),
  };
}

function warnOfMisspelt(value: unknown, place: string, reading: Reading): void {
  if (!isFields(value)) return;
  const [name, ...others] = Object.keys(value);
  const meant = name === undefined ? undefined : misspelt(name, respondFields);
  if (meant === undefined || others.length > 0) return;
  reading.warn(`${place}: the whole object is the body, since it has no field of an answer (did you mean '${meant}'?)`);
}

const isBase64 = new RegExp(base64Pattern);

export function readBase64(part: Part): string | undefined {
  const value = part.value("bodyBase64");
  if (value === undefined) return undefined;
  if (typeof value === "string" && isBase64.test(value)) return value;
  return part.bad("bodyBase64", "base64 (A-Z a-z 0-9 + /, padded with =) is expected");
}

/** `{"jsonata": "..."}`; a text is Simple. */
export function readExpression(value: unknown, place: string, reading: Reading): MockExpression | undefined {
  if (typeof value === "string") return { language: "simple", text: value };
  const entries = isFields(value) ? Object.entries(value) : [];
  const [[language, text] = [], ...others] = entries;
  if (language !== undefined && others.length === 0 && typeof text === "string" && text.length <= mostText) {
    return { language, text };
  }
  return reading.bad(
    place,
    `a text in Simple, or one language with its text, such as {"jsonata": "$.id"}, is expected`,
  );
}

/** Of Throwable.toString(): a class name, and behind it the message. */
const javaName = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
const thrown = /^([A-Za-z_$][\w$.]*(?:Exception|Error))(?:: (.*))?$/s;
const httpClass = /(?:^|\.)HttpOperationFailedException$/;

/** A text is `Class`, `Class: message`, or a message. */
function readThrow(value: unknown, place: string, reading: Reading): ThrowAction | undefined {
  if (typeof value === "string") {
    const [, type, message] = thrown.exec(value) ?? [undefined, undefined, value];
    return readThrow(
      { ...(type !== undefined && { type }), ...(message !== undefined && { message }) },
      place,
      reading,
    );
  }
  const part = reading.part(value, place, throwFields);
  if (part === undefined) return undefined;
  const given = httpFields.filter((name) => part.has(name));
  const type =
    part.text("type", 200) ?? (given.length > 0 ? "HttpOperationFailedException" : "java.lang.RuntimeException");
  const isHttp = httpClass.test(type);
  if (!javaName.test(type)) part.bad("type", "the name of a Java class is expected, such as java.io.IOException");
  if (!isHttp && given[0] !== undefined) part.bad(given[0], `only an HttpOperationFailedException has it, not ${type}`);
  if (part.has("status") && part.has("statusCode")) part.bad("status", "statusCode says the same: send one of them");
  if (isHttp && !part.has("status") && !part.has("statusCode")) {
    reading.bad(place, `an HttpOperationFailedException needs a statusCode: {"type": "${type}", "statusCode": 503}`);
  }
  return {
    kind: "throw",
    type,
    // Of a failed HTTP call the thread says it, which knows the endpoint.
    message: part.text("message", mostText, 0) ?? (isHttp ? "" : "thrown by a mock"),
    ...present({
      statusCode: part.whole("statusCode", 100, mostThrownStatus) ?? part.whole("status", 100, mostThrownStatus),
      responseBody: part.value("responseBody"),
      responseHeaders: part.object("responseHeaders", "an object of headers by name"),
      delayMs: part.whole("delayMs", 0, mostDelayMs),
    }),
  };
}
