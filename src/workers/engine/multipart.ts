/**
 * Reads bodies of parts (RFC 2046 5.1) and fields of their heads (RFC 2045, 2183, 2231, 2047). The whole body is in
 * memory, so it is read at once, and the contents of parts are views of it.
 */

import { FlowException, limitExceeded } from "./exception.ts";

/** The body is not made of parts as its Content-Type says. */
/** A step that reads data got a whole multipart form. */
export class WholeForm extends FlowException {
  constructor(format: string) {
    const out = "take it apart first, with unmarshal: {mimeMultipart: {}}, or begin the route with platform-http:/path";
    super("org.apache.camel.InvalidPayloadException", `the body is a multipart form, and no ${format}: ${out}`);
  }
}

export class MultipartError extends Error {}

export interface Part {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly content: Uint8Array;
}

export interface PartBounds {
  readonly parts: number;
  /** Bytes of the head of one part. */
  readonly headBytes: number;
}

/** A field with parameters, such as `form-data; name="a"`. */
export interface FieldValue {
  /** In lower case. */
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const cr = 13;
const lf = 10;
const dash = 45;

/** Throws MultipartError, and LimitExceededException for more than `bounds`. */
export function readParts(body: Uint8Array, boundary: string, bounds: PartBounds): readonly Part[] {
  if (!/^[^\r\n]{1,70}$/.test(boundary)) throw new MultipartError("its boundary has 1 to 70 characters");
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const delimiter = Buffer.from(`--${boundary}`, "latin1");
  const parts: Part[] = [];
  let line = delimiterFrom(bytes, delimiter, 0);
  if (line === undefined) throw new MultipartError("it does not have its boundary");
  while (!line.last) {
    if (parts.length === bounds.parts) {
      throw limitExceeded("headerCount", `a body of parts has at most ${bounds.parts} of them`);
    }
    const next = delimiterFrom(bytes, delimiter, line.end);
    if (next === undefined) throw new MultipartError("it ends before its last boundary");
    parts.push(partOf(bytes.subarray(line.end, Math.max(line.end, next.start)), bounds));
    line = next;
  }
  return parts;
}

interface Delimiter {
  /** Where the content before it ends. */
  readonly start: number;
  /** Where the content behind it begins. */
  readonly end: number;
  readonly last: boolean;
}

/** Finds the next line that begins with the delimiter; the line break before it belongs to it. */
function delimiterFrom(bytes: Buffer, delimiter: Buffer, from: number): Delimiter | undefined {
  for (let at = bytes.indexOf(delimiter, from); at >= 0; at = bytes.indexOf(delimiter, at + 1)) {
    if (at !== 0 && bytes[at - 1] !== lf) continue;
    let end = at + delimiter.length;
    const last = bytes[end] === dash && bytes[end + 1] === dash;
    if (last) end += 2;
    while (bytes[end] === 32 || bytes[end] === 9) end += 1;
    if (bytes[end] === cr) end += 1;
    if (bytes[end] === lf) end += 1;
    else if (!last && end < bytes.length) continue;
    const start = at === 0 ? 0 : at - 1;
    return { start: bytes[start - 1] === cr ? start - 1 : start, end, last };
  }
  return undefined;
}

function partOf(bytes: Buffer, { headBytes }: PartBounds): Part {
  const [end, skip] = endOfHead(bytes);
  if (end > headBytes) throw limitExceeded("headerBytes", `the head of a part has at most ${headBytes} bytes`);
  const head = bytes.toString(isUtf8Head(bytes, end) ? "utf8" : "latin1", 0, end);
  return { headers: fieldsOf(head), content: viewOf(bytes.subarray(end + skip)) };
}

/** The length of the head, and of what separates it from the content. */
function endOfHead(bytes: Buffer): readonly [end: number, skip: number] {
  if (bytes[0] === lf) return [0, 1];
  if (bytes[0] === cr && bytes[1] === lf) return [0, 2];
  const dos = bytes.indexOf("\r\n\r\n");
  const unix = bytes.indexOf("\n\n");
  if (dos >= 0 && (unix < 0 || dos < unix)) return [dos, 4];
  if (unix >= 0) return [unix, 2];
  throw new MultipartError("a part has no empty line between its head and its content");
}

const strict = new TextDecoder("utf-8", { fatal: true });

function isUtf8Head(bytes: Buffer, end: number): boolean {
  try {
    strict.decode(bytes.subarray(0, end));
    return true;
  } catch {
    return false;
  }
}

/** Reads the fields of a head; a line that begins with a space continues the one before. Throws MultipartError. */
export function fieldsOf(head: string): readonly (readonly [name: string, value: string])[] {
  const lines = head.replaceAll(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  return lines.flatMap((line): [string, string][] => {
    if (line === "") return [];
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim();
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
      throw new MultipartError("a line in the head of a part is no field");
    return [[name, line.slice(colon + 1).trim()]];
  });
}

export function fieldOf({ headers }: Pick<Part, "headers">, lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}

const parameter = /;\s*([^\s=;]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/**
 * Reads `form-data; name="a"; filename*=UTF-8''%C3%BC.txt`. A parameter with a character set comes before the one
 * without; a backslash escapes a quote alone, since browsers send paths with backslashes.
 */
export function parseField(text: string): FieldValue {
  const value = (text.split(";")[0] as string).trim().toLowerCase();
  const parameters = new Map<string, string>();
  const extended = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of text.matchAll(parameter)) {
    const lower = name.toLowerCase();
    const given = quoted === undefined ? plain.trim() : quoted.replaceAll(/\\(["\\])/g, "$1");
    if (lower.endsWith("*")) {
      const decoded = extendedValue(given);
      if (decoded !== undefined) extended.set(lower.slice(0, -1), decoded);
    } else if (!parameters.has(lower)) parameters.set(lower, encodedWords(given));
  }
  for (const [name, decoded] of extended) parameters.set(name, decoded);
  return { value, parameters };
}

/** `UTF-8''%e2%82%ac` (RFC 8187); undefined for another form. */
function extendedValue(text: string): string | undefined {
  const [, charset = "", escaped = ""] = /^([^']*)'[^']*'(.*)$/s.exec(text) ?? [];
  try {
    if (/^utf-?8$/i.test(charset)) return decodeURIComponent(escaped);
    if (/^iso-8859-1$/i.test(charset)) return unescape8(escaped);
  } catch {}
  return undefined;
}

function unescape8(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** `=?UTF-8?B?w7w=?=` (RFC 2047). */
export function encodedWords(text: string): string {
  const joined = text.replaceAll(/(\?=)\s+(?==\?)/g, "$1");
  return joined.replaceAll(
    /=\?([\w-]+)\?([bq])\?([^?]*)\?=/gi,
    (whole, charset: string, how: string, content: string) => {
      const bytes =
        how.toLowerCase() === "b" ? Buffer.from(content, "base64") : quotedBytes(content.replaceAll("_", " "));
      try {
        return new TextDecoder(charset).decode(bytes);
      } catch {
        return whole;
      }
    },
  );
}

/** Undoes a Content-Transfer-Encoding (RFC 2045 6); 7bit, 8bit, binary and unknown ones leave the content as it is. */
export function decodedContent(content: Uint8Array, encoding: string | undefined): Uint8Array {
  const name = encoding?.trim().toLowerCase();
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.length);
  if (name === "base64") return viewOf(Buffer.from(buffer.toString("latin1"), "base64"));
  return name === "quoted-printable" ? viewOf(quotedBytes(withoutSoftBreaks(buffer.toString("latin1")))) : content;
}

/** White space at the end of a line is not content; a `=` there joins the next one. */
function withoutSoftBreaks(text: string): string {
  let joined = "";
  for (const line of text.split(/(?<=\n)/)) {
    const end = line.endsWith("\r\n") ? "\r\n" : line.endsWith("\n") ? "\n" : "";
    const kept = line.slice(0, line.length - end.length).trimEnd();
    joined += kept.endsWith("=") ? kept.slice(0, -1) : kept + end;
  }
  return joined;
}

function quotedBytes(text: string): Buffer {
  const decoded = text.replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, "latin1");
}

/** The same bytes without Buffer's own way to write itself as JSON. */
function viewOf(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
