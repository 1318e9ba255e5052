/** Makes the message of a request: its head, read once and filtered, and the body that arrives in parts, as text if it is text. */

import { isAscii, isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { charsetOfType, holdsAscii, isUtf8Charset } from "../../shared/content-charset.ts";
import { AppError } from "../../shared/errors.ts";
import { isSteeringHeader } from "../../shared/http-headers.ts";
import { BodyKind, largeBody } from "../../shared/protocol.ts";
import { traceIdOf } from "../../shared/trace-context.ts";
import { isRequestId } from "../http/reply.ts";
import { parseTarget } from "../http/target.ts";
import { claimHeaders, type HttpClaim, headerOf, mainPart } from "./webhooks.ts";

/** Hop-by-hop headers (RFC 9110 7.6.1), and headers for the runtime, not for the flow. */
const dropped = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  "x-test-session",
]);

/** `Prefer` with respond-async among its preferences (RFC 7240 4.1). */
const asksForAsync = /(?:^|,)\s*respond-async\s*(?:$|[,;])/i;

export interface InboundHead {
  /** `name\nvalue\n...`: the message's headers. */
  readonly headers: string;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** 0 when the length is not declared. */
  readonly contentLength: number;
  /** Of the caller's trace. */
  readonly traceId: string | undefined;
  /** `Prefer: respond-async` (RFC 7240 4.1). */
  readonly respondAsync: boolean;
  readonly idempotencyKey: string | undefined;
  /** `X-Test-Session`: the run joins this session. */
  readonly testSession: string | undefined;
  /** The caller's own request id, if it may be returned. */
  readonly requestId: string | undefined;
}

/**
 * Reads the head in one pass over the raw headers; `request.headers` would first build an object. The message has the
 * request's headers, its query parameters as headers, then the runtime's own, as Camel's platform-http does.
 * `credentialHeaders`, in lower case, belong to the access policy, not to the flow.
 */
export function readHead(
  request: IncomingMessage,
  isDeployToken: (value: string) => boolean,
  claim: HttpClaim | undefined,
  credentialHeaders?: ReadonlySet<string>,
): InboundHead {
  const { rawHeaders } = request;
  let headers = `CamelHttpMethod\n${request.method}`;
  let perConnection = "";
  let contentType: string | undefined;
  let contentEncoding: string | undefined;
  let contentLength = 0;
  let traceparent: string | undefined;
  let requestId: string | undefined;
  let respondAsync = false;
  let idempotencyKey: string | undefined;
  let testSession: string | undefined;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const value = rawHeaders[i + 1] as string;
    const lower = name.toLowerCase();
    if (dropped.has(lower) || isSteeringHeader(lower)) {
      if (lower === "connection" && value !== "keep-alive" && value !== "close") perConnection += `,${value}`;
      else if (lower === "x-test-session") testSession = testSession === undefined ? value : `${testSession}, ${value}`;
      continue;
    }
    if (credentialHeaders?.has(lower)) continue;
    if (lower === "content-type") contentType ??= value;
    else if (lower === "content-length") contentLength = Number(value);
    else if (lower === "content-encoding") contentEncoding ??= value.toLowerCase();
    else if (lower === "traceparent") traceparent ??= value;
    else if (lower === "x-request-id") requestId ??= isRequestId(value) ? value : undefined;
    else if (lower === "idempotency-key")
      idempotencyKey = idempotencyKey === undefined ? value : `${idempotencyKey}, ${value}`;
    else if (lower === "prefer") respondAsync ||= asksForAsync.test(value);
    else if ((lower === "authorization" || lower === "x-api-key") && isDeployToken(value)) continue;
    headers += `\n${name}\n${value}`;
  }
  if (perConnection !== "") headers = dropNamed(headers, perConnection);
  headers += claim === undefined ? targetHeaders(request.url as string) : claimHeaders(claim);
  headers += encodingHeader(contentType);
  return {
    headers,
    contentType,
    contentEncoding,
    contentLength,
    traceId: traceIdOf(traceparent),
    requestId,
    respondAsync,
    idempotencyKey,
    testSession,
  };
}

/**
 * Throws header_fields_too_large when the message would have too many headers: those of the request, its query
 * parameters and the runtime's own. In the flow's thread this would fail the run, though only its caller is to blame.
 */
export function refuseHeaders(headers: string, most: number): void {
  // A header has at least three characters, with its line ends.
  if (headers.length < 3 * most) return;
  const parts = headers.split("\n");
  if (parts.length <= 2 * most) return;
  const names = new Set(parts.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase()));
  if (names.size <= most) return;
  throw new AppError(
    "header_fields_too_large",
    `the request's headers and query parameters become headers of the message, which has at most ${most}: send fewer`,
  );
}

/** Returns CamelHttpCharacterEncoding, by which the flow's thread reads the body's bytes (`\nname\nvalue`). */
function encodingHeader(contentType: string | undefined): string {
  const charset = charsetOfType(contentType);
  return charset === undefined ? "" : `\nCamelHttpCharacterEncoding\n${charset}`;
}

function targetHeaders(url: string): string {
  const mark = url.indexOf("?");
  if (mark < 0) return `\nCamelHttpUri\n${url}\nCamelHttpPath\n${url}`;
  let text = `\nCamelHttpUri\n${url}\nCamelHttpPath\n${url.slice(0, mark)}\nCamelHttpQuery\n${url.slice(mark + 1)}`;
  const target = parseTarget(url);
  for (const [name, value] of "problem" in target ? [] : target.query) text += headerOf(name, value);
  return text;
}

/** Removes headers that a Connection header names: they are for this hop only (RFC 9110 7.6.1). */
function dropNamed(headers: string, connection: string): string {
  const named = new Set(
    connection
      .toLowerCase()
      .split(",")
      .map((name) => name.trim()),
  );
  const parts = headers.split("\n");
  // The first pair was added by the runtime.
  return parts.filter((_, i) => i < 2 || !named.has((parts[i - (i % 2)] as string).toLowerCase())).join("\n");
}

/** Media types whose bodies are text when they are UTF-8; a body without a type counts too. */
const textual =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|graphql|sql)\b|application\/x-www-form-urlencoded)/i;
const json = /^application\/(?:[\w.+-]*\+)?json\b/i;

export interface WebhookBody {
  readonly kind: BodyKind;
  readonly content: string | Uint8Array | null;
}

const contentMethods = new Set(["POST", "PUT", "PATCH"]);

/** Returns the body of a request without any bytes: an empty text for methods whose requests have content, none for others. */
export function emptyBodyOf(method: string | undefined): WebhookBody {
  return contentMethods.has(method ?? "")
    ? { kind: BodyKind.text, content: "" }
    : { kind: BodyKind.none, content: null };
}

/**
 * Returns kind and content of a body. JSON stays text: the flow's thread parses it, where a bomb harms nobody else. A
 * byte order mark is kept.
 */
export function bodyKindOf(
  body: Buffer | null,
  contentType: string | undefined,
  method: string | undefined,
): WebhookBody {
  const isJson = contentType !== undefined && json.test(contentType);
  if (body === null || body.length === 0) return emptyBodyOf(method);
  if (isForeign(body, contentType)) return { kind: isJson ? BodyKind.json : BodyKind.bytes, content: ownBytes(body) };
  if (contentType === undefined || isJson || textual.test(contentType)) {
    const kind = isJson ? BodyKind.json : BodyKind.text;
    // The flow's thread decodes it, which takes a while.
    if (body.length >= largeBody && isUtf8(body)) return { kind, content: ownBytes(body) };
    if (isAscii(body)) return { kind, content: body.toString("latin1") };
    if (isUtf8(body)) return { kind, content: body.toString("utf8") };
  }
  // JSON is UTF-8 unless it says otherwise (RFC 8259): the thread refuses the empty text.
  if (isJson) return { kind: BodyKind.json, content: "" };
  return { kind: BodyKind.bytes, content: ownBytes(body) };
}

/**
 * Whether a text is in another character set than UTF-8: its type names one, or it is JSON in UTF-16. The flow's thread
 * gets such a text as the bytes that came.
 */
function isForeign(body: Buffer, contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  const charset = charsetOfType(contentType);
  if (charset !== undefined && !isUtf8Charset(charset)) return !(holdsAscii(charset) && isAscii(body));
  return json.test(contentType) && (body[0] === 0 || body[1] === 0 || (body[0] ?? 0) >= 0xfe);
}

/** Copies bytes that share memory: posting a part of a memory posts all of it. */
function ownBytes(body: Buffer): Uint8Array {
  return body.length === body.buffer.byteLength ? body : new Uint8Array(body);
}

const nothing: WebhookBody = { kind: BodyKind.none, content: null };
/**
 * Methods for which Vert.x Web reads forms; with another one a form is no body at all (VertxPlatformHttpEngineTest).
 */
const formMethods = new Set(["POST", "PUT", "PATCH", "DELETE"]);

/** Makes the body for a route with an HTTP path: text or bytes, JSON unparsed, forms as fields. */
export function claimedBodyOf(
  body: Buffer | null,
  contentType: string | undefined,
  method: string | undefined,
): WebhookBody {
  if (body === null || body.length === 0) return emptyBodyOf(method);
  if (contentType !== undefined && mainPart(contentType) === "application/x-www-form-urlencoded") {
    if (!formMethods.has(method ?? "")) return nothing;
    // A form that is not UTF-8 becomes a broken escape, which the thread refuses.
    return { kind: BodyKind.form, content: isUtf8(body) ? body.toString("utf8") : "%" };
  }
  if (contentType !== undefined && mainPart(contentType) === "multipart/form-data") {
    return formMethods.has(method ?? "") ? { kind: BodyKind.multipart, content: ownBytes(body) } : nothing;
  }
  const read = bodyKindOf(body, contentType, method);
  if (read.kind !== BodyKind.json) return read;
  if (read.content === "" || isForeign(body, contentType)) return { kind: BodyKind.bytes, content: ownBytes(body) };
  return { kind: BodyKind.maybeJson, content: read.content };
}
