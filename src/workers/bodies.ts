/** Bodies, headers and whole exchanges as they cross threads. */
import { isAscii } from "node:buffer";
import { isSteeringHeader } from "../shared/http-headers.ts";
import { type Limits, limitTable } from "../shared/limits.ts";
import type { InvokeExtra, ResultExtra } from "../shared/protocol.ts";
import { BodyKind, largeBody } from "../shared/protocol.ts";
import { isPlainObject } from "./engine/convert.ts";
import { FlowException } from "./engine/exception.ts";
import { type Exchange, JsonText } from "./engine/exchange.ts";
import { FormBody, readForm } from "./engine/form.ts";
import { dataJson } from "./engine/json-body.ts";
import { elementsOf, JsonNode, jsonNode } from "./engine/json-node.ts";
import { parseJson } from "./engine/parse-json.ts";
import { markupOf } from "./engine/xml-value.ts";

export interface WireBody {
  readonly kind: BodyKind;
  readonly body: string | Uint8Array | null;
  /** The body's memory, when it is the body's alone and goes with it. */
  readonly moved?: ArrayBuffer;
}

/** A header's value as JSON, which its weight has bounded already: quotes and escapes come to it. */
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

/** The body of a call to another flow, and of its reply: JSON in a list is known there. Throws as `encodeBody`. */
export function encodeOwnBody({ message, run }: Exchange): WireBody {
  const { body } = message;
  return encodeBody(Array.isArray(body) ? outgoing(body) : body, run.limits.messageBodyBytes);
}

/** The body of a webhook's answer: one that no step wrote is not sent. */
export function encodeAnswer(exchange: Exchange): WireBody {
  const { message, run } = exchange;
  return message.written ? encodeBody(message.body, run.limits.messageBodyBytes) : unwritten;
}

/** Throws SyntaxError when a body that is said to be JSON is not, FormError when a form cannot be read. */
export function decodeBody(kind: BodyKind, content: string | Uint8Array | null): unknown {
  const body = kind !== BodyKind.bytes && content instanceof Uint8Array ? textOf(content) : content;
  if (kind === BodyKind.json) return new JsonText(body as string, parseJson(body as string));
  if (kind === BodyKind.value) return incoming(parseJson(body as string));
  if (kind === BodyKind.maybeJson) return structured(body as string);
  if (kind === BodyKind.form) return readForm(body as string);
  return body;
}

/** A byte order mark is kept. */
function textOf(utf8: Uint8Array): string {
  const bytes = Buffer.from(utf8.buffer, utf8.byteOffset, utf8.length);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

/** Camel gives a platform-http route text; here a step may also look inside when it is an object or a list. */
function structured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return new JsonText(text, parseJson(text));
  } catch {
    return text;
  }
}

/** The headers that steps set, `name\nvalue\n...`; a list becomes a repeated header. Camel's control headers stay inside. */
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
 * A field value is bytes without control characters (RFC 9110 5.5), written here as Latin-1; other text goes as UTF-8.
 * Throws FlowException for what cannot be sent.
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

/** What a step set as CamelHttpResponseCode; 0 when nothing that is a status. */
export function statusOf(exchange: Exchange): number {
  const code = exchange.message.headers.get("CamelHttpResponseCode");
  const status = typeof code === "number" ? code : typeof code === "string" ? Number(code) : 0;
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : 0;
}

/** Headers, properties and variables for a call to another flow, and for its reply. */
export function encodeExchange(exchange: Exchange): InvokeExtra {
  return {
    pattern: exchange.pattern,
    headers: marked(exchange.message.headers.entries()),
    properties: Object.fromEntries(marked(exchange.properties)),
    variables: Object.fromEntries(marked(exchange.variables)),
  };
}

function marked(values: Iterable<readonly [string, unknown]>): (readonly [string, unknown])[] {
  return Array.from(values, ([name, value]) => [name, outgoing(value)]);
}

/** Takes a call's or a reply's headers, properties and variables into an exchange in place of its own. */
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
  for (const [name, value] of Object.entries(extra.properties ?? {})) exchange.properties.set(name, incoming(value));
  for (const [name, value] of Object.entries(extra.variables ?? {})) exchange.variables.set(name, incoming(value));
}

/** A list that a called flow left as it was comes back as another one; it has not been written for that. */
function same(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  return typeof before === "object" && before !== null && headerJson(before) === headerJson(after);
}

/** An exchange beside its body, as JSON. Throws LimitExceededException for more than its limits let it hold. */
export function exchangeJson(extra: InvokeExtra | ResultExtra, { headerBytes, variableBytes }: Limits): string {
  return dataJson(extra, 2 * (headerBytes + 2 * variableBytes), "variableBytes");
}

function headerJson(value: unknown): string {
  return dataJson(value, mostHeader, "headerBytes");
}

/**
 * Makes of a large body the bytes that are sent over HTTP, in memory of their own that changes hands: the main thread neither copies nor
 * encodes them. A small one is quicker as it is.
 */
export function asBytes(answer: WireBody): WireBody {
  const { kind, body } = answer;
  if (body === null || body.length < largeBody) return answer;
  // Bytes are copied: steps that go on behind the answer may still have them.
  if (typeof body !== "string") return moved(kind, Uint8Array.from(body));
  const structured = kind === BodyKind.json || (kind !== BodyKind.text && /^[[{]/.test(body));
  return moved(structured ? BodyKind.jsonBytes : BodyKind.textBytes, encoder.encode(body));
}

const encoder = new TextEncoder();

function moved(kind: BodyKind, body: Uint8Array<ArrayBuffer>): WireBody {
  return { kind, body, moved: body.buffer };
}

/** No name that people write; a map that has it all the same is taken for JSON, which it holds. */
const mark = "\u0000json";
/** Lists inside each other that are looked into: groups of groups. */
const mostLists = 32;
const mostJson = limitTable.messageBodyBytes.ceiling;

/**
 * Marks JSON, also as elements of lists, which would be known as maps and lists otherwise, and these print otherwise: the text of JSON that came
 * as text, the value of what an expression has made. Any other value stays as it is.
 */
export function outgoing(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, outgoing, depth);
  if (!(value instanceof JsonText) || value instanceof FormBody) return value;
  return { [mark]: value instanceof JsonNode ? value.value : value.text };
}

/** Makes what `outgoing` was given of a value that has been JSON in between. */
export function incoming(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return changedElements(value, incoming, depth);
  if (!isPlainObject(value) || !Object.hasOwn(value, mark)) return value;
  const content = value[mark];
  return typeof content === "string" ? new JsonText(content, parseJson(content)) : jsonNode(content, mostJson);
}

/** The list itself when no element is another one. */
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
