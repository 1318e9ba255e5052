/** Reads the action of a mock: `respond`, `throw` or `spy`, in long and short forms. */
import * as z from "zod";
import { expect, type FieldsOptions, fields, isFields, object, text, whole } from "../../../shared/document-fields.ts";
import type { MockAction, MockExpression, RespondAction, ThrowAction } from "../../../shared/mock.ts";
import { misspelt } from "../../../shared/suggest.ts";
import { base64Pattern } from "./reading.ts";

/** Some servers answer with a status beyond 599, and a recorded run is replayed unchanged. */
const mostThrownStatus = 999;
const mostDelayMs = 60_000;
const mostText = 10_000;

const isBase64 = new RegExp(base64Pattern);
export const base64 = expect<string>(
  "base64 (A-Z a-z 0-9 + /, padded with =) is",
  (value) => typeof value === "string" && isBase64.test(value),
);

/** `{"jsonata": "..."}`; a text is Simple. */
export const expression = z.transform((value: unknown, context): MockExpression => {
  if (typeof value === "string") return { language: "simple", text: value };
  const [[language, written] = [], ...others] = isFields(value) ? Object.entries(value) : [];
  if (language !== undefined && others.length === 0 && typeof written === "string" && written.length <= mostText) {
    return { language, text: written };
  }
  const message = `a text in Simple, or one language with its text, such as {"jsonata": "$.id"}, is expected`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

const bodies = ["body", "bodyBase64", "expression"] as const;
const answer = {
  body: z.unknown().exactOptional(),
  bodyBase64: base64.exactOptional(),
  expression: expression.exactOptional(),
  headers: object("an object of headers by name, null to remove one,").exactOptional(),
  status: whole(100, 599).exactOptional(),
  delayMs: whole(0, mostDelayMs).exactOptional(),
};
const respondFields = Object.keys(answer);

/** A value without any of the fields is the body. */
const respond = z
  .preprocess((value) => (isAnswer(value) ? value : { body: value }), fields(answer))
  .superRefine((value, context) => {
    const given = bodies.filter((name) => value[name] !== undefined);
    if (given.length > 1) context.addIssue(`one of ${given.join(" and ")}, not both, says what the body is`);
  })
  .transform((value): RespondAction => ({ kind: "respond", ...value }));

function isAnswer(value: unknown): boolean {
  return isFields(value) && respondFields.some((name) => Object.hasOwn(value, name));
}

/** Returns a remark on an object that is taken as the body and was probably meant as an answer; undefined: there is none. */
export function misspeltAnswer(value: unknown): string | undefined {
  if (!isFields(value) || isAnswer(value)) return undefined;
  const [name, ...others] = Object.keys(value);
  const meant = name === undefined ? undefined : misspelt(name, respondFields);
  if (meant === undefined || others.length > 0) return undefined;
  return `the whole object is the body, since it has no field of an answer (did you mean '${meant}'?)`;
}

/** The class name in the text of Throwable.toString(), which the message follows. */
const javaName = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;
const thrownText = /^([A-Za-z_$][\w$.]*(?:Exception|Error))(?:: (.*))?$/s;
const httpClass = /(?:^|\.)HttpOperationFailedException$/;

const failure = {
  type: text(200).exactOptional(),
  message: text(mostText, 0).exactOptional(),
  statusCode: whole(100, mostThrownStatus).exactOptional(),
  status: whole(100, mostThrownStatus).exactOptional(),
  responseBody: z.unknown().exactOptional(),
  responseHeaders: object("an object of headers by name").exactOptional(),
  delayMs: whole(0, mostDelayMs).exactOptional(),
};
/** Only HttpOperationFailedException has these. */
const httpFields = ["statusCode", "status", "responseBody", "responseHeaders"] as const;

/** A text is `Class`, `Class: message`, or a message. */
const thrown = z
  .preprocess((value) => (typeof value === "string" ? fromText(value) : value), fields(failure))
  .transform((value, { addIssue }): ThrowAction => {
    const { type: sent, message, statusCode, status, ...others } = value;
    const given = httpFields.filter((name) => value[name] !== undefined);
    const type = sent ?? (given.length > 0 ? "HttpOperationFailedException" : "java.lang.RuntimeException");
    const isHttp = httpClass.test(type);
    if (!javaName.test(type)) problem(["type"], "the name of a Java class is expected, such as java.io.IOException");
    if (!isHttp && given[0] !== undefined) {
      problem([given[0]], `only an HttpOperationFailedException has it, not ${type}`);
    }
    if (status !== undefined && statusCode !== undefined) {
      problem(["status"], "statusCode says the same: send one of them");
    }
    const code = statusCode ?? status;
    if (isHttp && code === undefined) {
      problem([], `an HttpOperationFailedException needs a statusCode: {"type": "${type}", "statusCode": 503}`);
    }
    return {
      kind: "throw",
      type,
      // The thread writes the message of a failed HTTP call, since it knows the endpoint.
      message: message ?? (isHttp ? "" : "thrown by a mock"),
      ...(code !== undefined && { statusCode: code }),
      ...others,
    };

    function problem(path: string[], text: string): void {
      addIssue({ code: "custom", path, message: text });
    }
  });

function fromText(value: string): { readonly type?: string; readonly message?: string } {
  const [, type, message] = thrownText.exec(value) ?? [undefined, undefined, value];
  return { ...(type !== undefined && { type }), ...(message !== undefined && { message }) };
}

/** The actions by their names in a mock. */
export const actions = {
  respond: respond.exactOptional(),
  throw: thrown.exactOptional(),
  spy: z
    .unknown()
    .refine((value) => value === true, "true is expected: the real step runs and is recorded")
    .exactOptional(),
};
export const actionNames = ["respond", "throw", "spy"] as const;

/** Returns the action that was given. */
export function actionOf(value: {
  readonly respond?: RespondAction;
  readonly throw?: ThrowAction;
  readonly spy?: unknown;
}): MockAction {
  return value.respond ?? value.throw ?? { kind: "spy" };
}

/** Hints for fields that belong one level deeper. */
export const actionHints: FieldsOptions["hints"] & object = {
  ...Object.fromEntries(Object.keys(failure).map((name) => [name, "it belongs into throw"])),
  ...Object.fromEntries(respondFields.map((name) => [name, "it belongs into respond"])),
  delayMs: "it belongs into respond or throw",
  status: "it belongs into respond or throw",
};
