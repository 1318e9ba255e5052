/** Encodes bodies, headers and exchanges for frames, and decodes them. */
import { isAscii } from "node:buffer";
import { isSteeringHeader } from "../shared/http-headers.ts";
import { type Limits, limitTable } from "../shared/limits.ts";
import type { InvokeExtra, ResultExtra } from "../shared/protocol.ts";
import { BodyKind, largeBody } from "../shared/protocol.ts";
import { asText, isPlainObject } from "./engine/convert.ts";
import { FlowException } from "./engine/exception.ts";
import type { Exchange } from "./engine/exchange.ts";
import { FormBody, readForm } from "./engine/form.ts";
import { dataJson } from "./engine/json-body.ts";
import { elementsOf, JsonNode, jsonNode } from "./engine/json-node.ts";
import { JsonText, type Message } from "./engine/message.ts";
import { parseJson } from "./engine/parse-json.ts";
import { markupOf } from "./engine/xml-value.ts";

export interface WireBody {
  readonly kind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** The body's memory, if it belongs to the body alone and can be transferred. */
  readonly moved?: ArrayBuffer;
}

/**
 * The most characters of a header's value as JSON. The value's weight is bounded already; quotes and escapes add to it.
 */
const mostHeader = 16 * limitTable.headerBytes.ceiling;

const nothing: WireBody = { kind: BodyKind.none, body: null };
const unwritten: WireBody = { kind: BodyKind.unwritten, body: null };

/** Throws LimitExceededException for a value that would be longer than `maxBytes` as JSON. */
export function encodeBody(value: unknown, maxBytes: number): WireBody {
  if (value === null || value === undefined) return nothing;
  if (typeof value === "string") return { kind: BodyKind.text, body: value };
  if (value instanceof FormBody) return { kind: BodyKind.form, body: value.encoded };
  if (value instanceof JsonText) return { kind: BodyKind.json, body: value.text };
  if (value instanceof Uint8Array) return { kind: BodyKind.bytes, body: value };
  const markup = markupOf(value);
  if (markup !== undefined) return { kind: BodyKind.text, body: markup };
  return { kind: BodyKind.value, body: dataJson(value, maxBytes) };
}

/**
 * Encodes the body of a call to another flow, or of its reply, where JSON in a list stays marked as JSON. Throws as
 * `encodeBody`.
 */
export function encodeOwnBody({ message, run }: Exchange): WireBody {
  const { body } = message;
  return encodeBody(Array.isArray(body) ? outgoing(body) : body, run.limits.messageBodyBytes);
}

/** Encodes the body of a webhook's answer; a body that no step has written is not sent. */
export function encodeAnswer(exchange: Exchange): WireBody {
  const { message, run } = exchange;
  return message.written ? encodeBody(message.body, run.limits.messageBodyBytes) : unwritten;
}

/** Throws SyntaxError for a body with a JSON content type that is not JSON, FormError for an invalid form. */
export function decodeBody(kind: BodyKind, content: string | Uint8Array | null): unknown {
  const isText = kind !== BodyKind.bytes && kind !== BodyKind.multipart;
  const body = isText && content instanceof Uint8Array ? textOf(content) : content;
  if (kind === BodyKind.json) return new JsonText(body as string, parseJson(body as string));
  if (kind === BodyKind.value) return incoming(parseJson(body as string));
  if (kind === BodyKind.maybeJson) return structured(body as string);
  if (kind === BodyKind.form) return readForm(body as string);
  return body;
}

/** Keeps a byte order mark. */
function textOf(utf8: Uint8Array): string {
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Camel passes text to a platform-http route; here steps may also look into it if it is an object or a list. */
function structured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return new JsonText(text, parseJson(text));
  } catch {
    return text;
  }
}

/**
 * Returns the headers that steps have set, `name\nvalue\n...`; a list becomes a repeated header. Omits Camel's control
 * headers.
 */
export function encodeHeaders(exchange: Exchange): string {
  let text = "";
  for (const [name, value] of exchange.message.headers.written()) {
    if (value === null || value === undefined || isSteeringHeader(name)) continue;
    for (const one of elementsOf(value) ?? [value]) {
      const line = headerText(name, one);
      text += text === "" ? `${name}\n${line}` : `\n${name}\n${line}`;
    }
  }
  return text;
}

/**
 * Returns a field value, which is bytes without control characters (RFC 9110 5.5), as Latin-1; other text is sent as
 * UTF-8. Throws FlowException for a value that cannot be sent.
 */
export function headerText(name: string, value: unknown): string {
  const text = value instanceof JsonText ? value.text : typeof value === "object" ? headerJson(value) : String(value);
  if (/[^!#$%&'*+.^_`|~0-9A-Za-z-]/.test(name) || name === "") throw unsendable(name, "its name is not a token");
  if (controlCharacter.test(text)) throw unsendable(name, "its value has a control character, such as a line break");
  return aboveLatin1.test(text) ? Buffer.from(text).toString("latin1") : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for.
const controlCharacter = /[\x00-\x08\x0a-\x1f\x7f]/;
const aboveLatin1 = /[\u0100-\uffff]/;

function unsendable(name: string, why: string): FlowException {
  const shown = name.slice(0, 100);
  return new FlowException("java.lang.IllegalArgumentException", `'${shown}' cannot be sent as an HTTP header: ${why}`);
}

/** Returns the status in CamelHttpResponseCode; 0 without one. Throws FlowException for a value that is not the status of an answer. */
export function statusOf(exchange: Exchange): number {
  const code = exchange.message.headers.get("CamelHttpResponseCode") ?? null;
  if (code === null) return 0;
  const text = asText(code);
  const status = /^\s*\d{3}\s*$/.test(text) ? Number(text) : 0;
  if (status >= 200 && status <= 599) return status;
  throw new FlowException(
    "org.apache.camel.TypeConversionException",
    `CamelHttpResponseCode is '${text.slice(0, 100)}': the status of an answer is a whole number from 200 to 599`,
  );
}

/** Encodes headers, properties and variables for a call to another flow, or for its reply. */
export function encodeExchange(exchange: Exchange): InvokeExtra {
  return {
    pattern: exchange.pattern,
    headers: marked(exchange.message.headers.entries()),
    properties: Object.fromEntries(marked(exchange.properties)),
    variables: Object.fromEntries(marked(exchange.variables)),
    ...(exchange.message.hasAttachments && { attachments: sentAttachments(exchange.message) }),
  };
}

function sentAttachments({ attachments }: Message): NonNullable<InvokeExtra["attachments"]> {
  return Array.from(attachments.entries(), ([name, { fileName = null, contentType, headers, content }]) => {
    const base64 = Buffer.from(content.buffer, content.byteOffset, content.length).toString("base64");
    return [name, fileName, contentType, headers, base64];
  });
}

function receiveAttachments({ attachments }: Message, sent: InvokeExtra["attachments"]): void {
  attachments.clear();
  for (const [name, fileName, contentType, headers, base64] of sent ?? []) {
    const content = new Uint8Array(Buffer.from(base64, "base64"));
    attachments.set(name, { ...(fileName !== null && { fileName }), contentType, headers, content });
  }
}

function marked(values: Iterable<readonly [string, unknown]>): (readonly [string, unknown])[] {
  return Array.from(values, ([name, value]) => [name, outgoing(value)]);
}

/** Replaces an exchange's headers, properties and variables by those of a call or a reply. */
export function receiveExchange(exchange: Exchange, extra: InvokeExtra, written: boolean): void {
  const { headers } = exchange.message;
  if (!written && extra.pattern !== undefined) exchange.pattern = extra.pattern;
  const kept = new Set<string>();
  for (const [name, crossed] of extra.headers ?? []) {
    const value = incoming(crossed);
    kept.add(name.toLowerCase());
    if (written && !same(headers.get(name), value)) headers.set(name, value);
    else if (!written) headers.receive(name, value);
  }
  if (written) for (const [name] of [...headers.entries()]) if (!kept.has(name.toLowerCase())) headers.delete(name);
  if (extra.attachments !== undefined || exchange.message.hasAttachments) {
    receiveAttachments(exchange.message, extra.attachments);
  }
  for (const [name, value] of Object.entries(extra.properties ?? {})) exchange.properties.set(name, incoming(value));
  for (const [name, value] of Object.entries(extra.variables ?? {})) exchange.variables.set(name, incoming(value));
}

/** A list that the called flow left unchanged comes back as a copy, which does not count as written. */
function same(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  return typeof before === "object" && before !== null && headerJson(before) === headerJson(after);
}

/** Writes an exchange without its body as JSON. Throws LimitExceededException above its limits. */
export function exchangeJson(extra: InvokeExtra | ResultExtra, limits: Limits): string {
  const { headerBytes, variableBytes, messageBodyBytes } = limits;
  const attached = extra.attachments === undefined ? 0 : 2 * messageBodyBytes;
  return dataJson(extra, 2 * (headerBytes + 2 * variableBytes) + attached, "variableBytes");
}

function headerJson(value: unknown): string {
  return dataJson(value, mostHeader, "headerBytes");
}

/**
 * Encodes a large body to the bytes that HTTP sends, in memory that is transferred, so that the main thread neither
 * copies nor encodes them. A small body is faster as text.
 */
export function asBytes(answer: WireBody): WireBody {
  const { kind, body } = answer;
  if (body === null || body.length < largeBody) return answer;
  // Bytes are copied, because steps that continue after the answer may still use them.
  if (typeof body !== "string") return moved(kind, Uint8Array.from(body));
  const structured = kind === BodyKind.json || (kind !== BodyKind.text && /^[[{]/.test(body));
  return moved(structured ? BodyKind.jsonBytes : BodyKind.textBytes, encoder.encode(body));
}

const encoder = new TextEncoder();

function moved(kind: BodyKind, body: Uint8Array<ArrayBuffer>): WireBody {
  return { kind, body, moved: body.buffer };
}

/** A key that people do not write. A map that has it nevertheless is read as JSON. */
const mark = "\u0000json";
/** The greatest depth of lists inside lists (groups of groups) that are searched. */
const mostLists = 32;
const mostJson = limitTable.messageBodyBytes.ceiling;

/**
 * Marks JSON, also as elements of lists, because maps and lists print differently: JSON that came as text by its text,
 * JSON that an expression has made by its value. Other values are returned unchanged.
 */
export function outgoing(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, outgoing, depth);
  if (!(value instanceof JsonText) || value instanceof FormBody) return value;
  return { [mark]: value instanceof JsonNode ? value.value : value.text };
}

/** Restores the argument of `outgoing` from its result after a passage as JSON. */
export function incoming(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, incoming, depth);
  if (!isPlainObject(value) || !Object.hasOwn(value, mark)) return value;
  const content = value[mark];
  return typeof content === "string" ? new JsonText(content, parseJson(content)) : jsonNode(content, mostJson);
}

/** Returns the list itself if no element changes. */
function changedElements(list: readonly unknown[], change: typeof outgoing, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  if (depth === mostLists) return list;
  list.forEach((element, at) => {
    const changed = change(element, depth + 1);
    if (changed === element) return;
    copy ??= list.slice();
    copy[at] = changed;
  });
  return copy ?? list;
}
