/**
 * The record of a step's message: redacted, cut to `limits.recordedBytes`, cheap for a large one. Recording consumes
 * nothing of the message.
 */
import type { RecordedError, RecordedMessage } from "../../shared/mock.ts";
import { hidden, isSecretName, redact, shownError } from "../../shared/redact.ts";
import { exceptionMessage, exceptionType, FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { FormBody } from "./form.ts";
import { JsonText, type Message } from "./message.ts";
import { shortType } from "./preview.ts";
import { type RecordedValue, recordedBytes, recordedValue } from "./recorded-value.ts";
import type { Run } from "./run.ts";
import { shownAttachments } from "./shown-attachments.ts";

/** Headers take at most half of the bytes, attachments a quarter. Never throws. */
export function recordedMessage(message: Message, run: Run<Exchange>): RecordedMessage {
  const { headers, body } = message;
  const { recordedBytes: budget } = run.limits;
  const named = recordedValues(headers.entries(), Math.floor(budget / 2), run);
  const attached = shownAttachments(message, Math.floor(budget / 4), run.mask);
  const left = budget - named.bytes - attached.bytes;
  const binary = body instanceof Uint8Array;
  const shown = binary ? recordedBytes(body, left, run.mask) : recordedValue(body, left, run.mask);
  return {
    headers: named.values,
    body: shown.value,
    bodyType: shortType(body),
    ...(binary && { encoding: "base64" }),
    ...(!shown.cut && !shown.redacted && ownText(body, left, run)),
    ...(attached.list !== undefined && { attachments: attached.list }),
    ...((shown.cut || named.cut || attached.cut) && { cut: true }),
    ...((shown.redacted || named.redacted || attached.redacted) && { redacted: true }),
  };
}

/** Returns the text of a body whose text cannot be derived from its value. */
function ownText(body: unknown, budget: number, { mask }: Run<Exchange>): { readonly text: string } | undefined {
  if (!(body instanceof JsonText) || body instanceof FormBody || body.text.length > budget) return undefined;
  const { text, value } = body;
  return JSON.stringify(value) === text || redact(mask(text)) !== text ? undefined : { text };
}

export interface RecordedValues extends Omit<RecordedValue, "value"> {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Records headers or properties until the budget is used. */
export function recordedValues(
  entries: Iterable<readonly [string, unknown]>,
  budget: number,
  run: Run<Exchange>,
): RecordedValues {
  const members: [string, unknown][] = [];
  let bytes = 0;
  let cut = false;
  let redacted = false;
  for (const [name, value] of entries) {
    const key = run.mask(name);
    const left = budget - bytes - key.length;
    if (left < 16) {
      cut = true;
      break;
    }
    const secret = isSecretName(name);
    const shown = secret ? secretValue : recordedValue(value, left, run.mask);
    members.push([key, shown.value]);
    bytes += key.length + shown.bytes;
    cut ||= shown.cut;
    redacted ||= shown.redacted || key !== name;
  }
  return { values: Object.fromEntries(members), bytes, cut, redacted };
}

const secretValue: RecordedValue = { value: hidden, bytes: hidden.length, cut: false, redacted: true };

/** Records a failure, with an HTTP server's answer. */
export function recordedError(error: unknown, run: Run<Exchange>): RecordedError {
  const { mask, limits } = run;
  const { statusCode, responseBody, responseHeaders } = error instanceof FlowException ? error.details : noDetails;
  const body = responseBody === undefined ? undefined : recordedValue(responseBody, limits.previewBytes, mask);
  const headers = recordedValues(Object.entries(responseHeaders ?? {}), limits.previewBytes, run);
  return {
    type: mask(exceptionType(error)),
    message: shownError(exceptionMessage(error), mask, limits.eventBytes),
    ...(isStatus(statusCode) && { statusCode }),
    ...(body !== undefined && { responseBody: body.value }),
    ...(Object.keys(headers.values).length > 0 && { responseHeaders: headers.values }),
    ...((body?.cut || headers.cut) && { cut: true as const }),
    ...((body?.redacted || headers.redacted) && { redacted: true as const }),
  };
}

/** Whether the value can be an HTTP status, since a flow may set it to anything. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 100 && Number(value) <= 999;
}

const noDetails: Readonly<Record<string, unknown>> = {};
