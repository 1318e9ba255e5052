/**
 * Reads forms and makes answers of a route with its own path, as Camel's platform-http does (VertxPlatformHttpSupport,
 * HttpUtil).
 */

import { isSteeringHeader } from "../shared/http-headers.ts";
import type { Limits } from "../shared/limits.ts";
import type { HttpTrigger } from "../shared/manifest.ts";
import { encodeBody, headerText, statusOf, type WireBody } from "./bodies.ts";
import { javaType } from "./engine/convert.ts";
import { FlowException, limitExceeded } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import { FormBody, readForm } from "./engine/form.ts";
import type { Headers } from "./engine/headers.ts";
import { isData } from "./engine/json-body.ts";
import { elementsOf } from "./engine/json-node.ts";
import { JsonText } from "./engine/message.ts";
import { markupOf } from "./engine/xml-value.ts";

/** The longest escape of a byte, `%00`. */
const escapeLength = 3;

/**
 * Makes a form the message: its fields become headers, and the body a map. A name that is also a header or a query
 * parameter becomes a list (VertxPlatformHttpConsumer.populateMultiFormData). Throws FormError, and
 * LimitExceededException for more fields than a message's headers hold.
 */
export function receiveForm(
  encoded: string,
  headers: Headers,
  { headerBytes }: Limits,
  { formAsBody }: HttpTrigger,
): FormBody | null {
  if (encoded.length > headerBytes * escapeLength) {
    throw limitExceeded("headerBytes", `a form's fields have at most ${headerBytes} bytes together`);
  }
  const form = readForm(encoded);
  if (form === null) return null;
  for (const [name, value] of Object.entries(form.value as Record<string, unknown>)) {
    const present = headers.get(name);
    headers.receive(name, present === undefined ? value : [present, value].flat());
  }
  return formAsBody ? form : null;
}

export interface HttpAnswer {
  /** 0: 200, or 500 when the run failed. */
  readonly status: number;
  readonly body: WireBody;
  /** Header text in the form of InvocationResult. */
  readonly headers: string;
}

/** The request that waits for the answer. */
export interface HttpAsker {
  readonly trigger: HttpTrigger;
  /** The invocation's header text. */
  readonly inbound: string;
}

/**
 * A null or blank body is 204 unless a status is set. A list or a map is sent as JSON, with its Content-Type unless a
 * step has set one. Throws FlowException for another body that is neither text, bytes nor a scalar, for which Camel has
 * no converter to a stream either.
 */
export function encodeHttpAnswer(exchange: Exchange, asker: HttpAsker): HttpAnswer {
  const body = sendable(exchange.message.body);
  const blank = body === null || (typeof body === "string" && body.trim() === "");
  const status = statusOf(exchange);
  return {
    status: status === 0 && blank ? 204 : status,
    body: encodeBody(body, exchange.run.limits.messageBodyBytes),
    headers: encodeHttpHeaders(exchange, asker, isData(exchange.message.body)),
  };
}

/** Returns status and headers of an answer to a failed run, from the exchange at the failure of its route. */
export function encodeHttpFailure(exchange: Exchange, asker: HttpAsker): Pick<HttpAnswer, "status" | "headers"> {
  try {
    return { status: statusOf(exchange), headers: encodeHttpHeaders(exchange, asker, false) };
  } catch {
    // Ignores a header that cannot be sent, because the run's failure is reported instead.
    return { status: 0, headers: "" };
  }
}

function sendable(body: unknown): unknown {
  if (typeof body !== "object" || body === null || body instanceof Uint8Array) return body ?? null;
  if (body instanceof FormBody) return body.value;
  if (body instanceof JsonText) return body.text;
  const markup = markupOf(body);
  if (markup !== undefined) return markup;
  if (isData(body)) return body;
  throw new FlowException(
    "org.apache.camel.NoTypeConversionAvailableException",
    `the answer's body is a ${javaType(body)}: make it text first, such as setBody: {expression: {simple: {expression: "\${bodyAs(String)}"}}}`,
  );
}

/**
 * Returns all headers of the message except those that Camel filters. Of the caller's own values, only headers are sent
 * back, never query parameters or fields of a form: a link or a form of another site could otherwise set headers of the
 * answer. `isJson`: the body was made JSON here, so the request's Content-Type does not describe it.
 */
function encodeHttpHeaders({ message }: Exchange, { inbound, trigger }: HttpAsker, isJson: boolean): string {
  const ownType = isJson && !message.headers.isWritten("content-type");
  const lines: string[] = ownType ? ["Content-Type", "application/json"] : [];
  const sent = sentHeaders(inbound);
  const written = new Set<string>();
  for (const [name] of message.headers.written()) written.add(name.toLowerCase());
  for (const [name, value] of message.headers.entries()) {
    const lower = name.toLowerCase();
    if (isKept(lower, trigger) || (ownType && lower === "content-type")) continue;
    if (written.has(lower)) {
      const values = (lower === "content-type" ? undefined : elementsOf(value)) ?? [value];
      for (const one of values) if (one !== null && one !== undefined) lines.push(name, headerText(name, one));
    } else if (!belongsToAnswers(lower))
      for (const one of sent.get(lower) ?? []) lines.push(name, headerText(name, one));
  }
  return lines.join("\n");
}

/**
 * Maps lower-case names to values. Control writes the request's headers before its own `CamelHttpUri`, which no request
 * can set.
 */
function sentHeaders(inbound: string): ReadonlyMap<string, readonly string[]> {
  const sent = new Map<string, string[]>();
  const parts = inbound.split("\n");
  for (let i = 0; i + 1 < parts.length && parts[i] !== "CamelHttpUri"; i += 2) {
    const name = (parts[i] as string).toLowerCase();
    const values = sent.get(name);
    // Of several types the runtime uses the first.
    if (values === undefined) sent.set(name, [parts[i + 1] as string]);
    else if (name !== "content-type") values.push(parts[i + 1] as string);
  }
  return sent;
}

/**
 * Camel's out-filter (HttpUtil.addCommonFilters) without Content-Type, with credentials and headers that the runtime
 * sets.
 */
const kept = new Set(
  (
    "content-length host cache-control connection date pragma trailer transfer-encoding upgrade via warning " +
    "authorization cookie x-api-key proxy-authorization x-run-id x-request-id traceparent"
  ).split(" "),
);
/** PlatformHttpEndpoint.COMMON_HTTP_REQUEST_HEADERS. */
const common = new Set(
  (
    "a-im accept accept-charset accept-encoding accept-language accept-datetime access-control-request-method " +
    "access-control-request-headers expect forwarded from http2-settings if-match if-modified-since if-none-match if-range " +
    "if-unmodified-since max-forwards origin prefer range referer te user-agent"
  ).split(" "),
);

function isKept(lower: string, { returnRequestHeaders }: HttpTrigger): boolean {
  return kept.has(lower) || isSteeringHeader(lower) || (common.has(lower) && !returnRequestHeaders);
}

/**
 * Fields with a meaning in an answer for browsers, caches and proxies; a caller who could set them might affect others.
 */
const answerFields = new Set(
  (
    "accept-ranges age allow alt-svc authentication-info clear-site-data content-disposition content-encoding content-location " +
    "content-range etag expires last-modified link location nel proxy-authenticate refresh report-to reporting-endpoints " +
    "retry-after server server-timing set-cookie set-cookie2 sourcemap strict-transport-security timing-allow-origin vary " +
    "www-authenticate x-content-type-options x-error-code x-frame-options x-sendfile x-xss-protection"
  ).split(" "),
);
const answerFamilies =
  /^(?:access-control-|content-security-policy|cross-origin-|permissions-policy|surrogate-|x-accel-|x-lighttpd-)/;

function belongsToAnswers(lower: string): boolean {
  return answerFields.has(lower) || answerFamilies.test(lower);
}
