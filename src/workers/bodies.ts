/** Bodies, headers and whole exchanges as they cross threads. */
import type { InvokeExtra } from "../shared/protocol.ts";
import { BodyKind } from "../shared/protocol.ts";
import { isSteeringHeader } from "../shared/steering-header.ts";
import { FlowException } from "./engine/exception.ts";
import { type Exchange, JsonText } from "./engine/exchange.ts";
import { FormBody, readForm } from "./engine/form.ts";
import { LazyList } from "./engine/lazy-list.ts";
import { nodeListText, XmlNode } from "./engine/xml-value.ts";

export interface WireBody {
  readonly kind: BodyKind;
  readonly body: string | Uint8Array | null;
}

const nothing: WireBody = { kind: BodyKind.none, body: null };
const unwritten: WireBody = { kind: BodyKind.unwritten, body: null };

export function encodeBody(value: unknown): WireBody {
  if (value === null || value === undefined) return nothing;
  if (typeof value === "string") return { kind: BodyKind.text, body: value };
  if (value instanceof FormBody) return { kind: BodyKind.form, body: value.encoded };
  if (value instanceof JsonText) return { kind: BodyKind.json, body: value.text };
  if (value instanceof Uint8Array) return { kind: BodyKind.bytes, body: value };
  const markup = markupOf(value);
  if (markup !== undefined) return { kind: BodyKind.text, body: markup };
  return { kind: BodyKind.value, body: toJson(value) };
}

/** XML leaves a flow as its text. */
function markupOf(value: unknown): string | undefined {
  if (value instanceof XmlNode) return value.text;
  return Array.isArray(value) ? nodeListText(value) : undefined;
}

/** The body of a webhook's answer: one that no step wrote is not sent. */
export function encodeAnswer(exchange: Exchange): WireBody {
  return exchange.message.written ? encodeBody(exchange.message.body) : unwritten;
}

/** Throws SyntaxError when a body that is said to be JSON is not, FormError when a form cannot be read. */
export function decodeBody(kind: BodyKind, body: string | Uint8Array | null): unknown {
  if (kind === BodyKind.json) return new JsonText(body as string, JSON.parse(body as string));
  if (kind === BodyKind.value) return JSON.parse(body as string);
  if (kind === BodyKind.maybeJson) return structured(body as string);
  if (kind === BodyKind.form) return readForm(body as string);
  return body;
}

/** Camel gives a platform-http route text; here a step may also look inside when it is an object or a list. */
function structured(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return new JsonText(text, JSON.parse(text));
  } catch {
    return text;
  }
}

/** The headers that steps set, `name\nvalue\n...`; a list becomes a repeated header. Camel's control headers stay inside. */
export function encodeHeaders(exchange: Exchange): string {
  let text = "";
  for (const [name, value] of exchange.message.headers.written()) {
    if (value === null || value === undefined || isSteeringHeader(name)) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
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
  const text = typeof value === "string" ? value : value instanceof JsonText ? value.text : toJsonOrText(value);
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
    headers: [...exchange.message.headers.entries()],
    properties: Object.fromEntries(exchange.properties),
    variables: Object.fromEntries(exchange.variables),
  };
}

/** Takes a call's or a reply's headers, properties and variables into an exchange in place of its own. */
export function receiveExchange(exchange: Exchange, extra: InvokeExtra, written: boolean): void {
  const { headers } = exchange.message;
  if (!written && extra.pattern !== undefined) exchange.pattern = extra.pattern;
  const kept = new Set<string>();
  for (const [name, value] of extra.headers ?? []) {
    kept.add(name.toLowerCase());
    if (written && !same(headers.get(name), value)) headers.set(name, value);
    else if (!written) headers.receive(name, value);
  }
  if (written) for (const [name] of [...headers.entries()]) if (!kept.has(name.toLowerCase())) headers.delete(name);
  for (const [name, value] of Object.entries(extra.properties ?? {})) exchange.properties.set(name, value);
  for (const [name, value] of Object.entries(extra.variables ?? {})) exchange.variables.set(name, value);
}

/** A list that a called flow left as it was comes back as another one; it has not been written for that. */
function same(before: unknown, after: unknown): boolean {
  return before === after || (typeof before === "object" && before !== null && toJson(before) === toJson(after));
}

/** JSON of a plain value; maps as objects, bytes as base64, a JSON text as its value. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner instanceof JsonText) return inner.value;
    if (inner instanceof Map) return Object.fromEntries(inner);
    if (inner instanceof Set || inner instanceof LazyList) return [...inner];
    if (inner instanceof Uint8Array) return Buffer.from(inner).toString("base64");
    if (inner instanceof Error) return { message: inner.message };
    return typeof inner === "bigint" ? inner.toString() : inner;
  });
}

function toJsonOrText(value: unknown): string {
  return typeof value === "object" ? toJson(value) : String(value);
}
