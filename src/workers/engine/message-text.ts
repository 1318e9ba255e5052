/**
 * Makes text of the bytes of a message, and bytes of its text. An exchange says which character set its bytes have
 * (docs/decisions/0037); documents that say it themselves are read by that.
 */
import { isUtf8 } from "node:buffer";
import { type Charset, charsetNamed, charsetNameOf, charsetOf } from "./charset.ts";
import { asText, convertTo, fullTypeName } from "./convert.ts";
import { exceptionMessage, exceptionType, FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";

/** Renders a value as `asText`, but bytes in the exchange's character set. Throws TypeConversionException for an unknown set. */
export function textIn(exchange: Exchange, value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return decodedIn(exchange, value);
  return asText(value, exchange.run.limits.messageBodyBytes);
}

/** Returns bytes as their text in the exchange's character set, and other values unchanged. */
export function readable(exchange: Exchange, value: unknown): unknown {
  return value instanceof Uint8Array ? decodedIn(exchange, value) : value;
}

function decodedIn(exchange: Exchange, bytes: Uint8Array): string {
  try {
    return charsetOf(exchange).decode(bytes);
  } catch (cause) {
    const why = `${exceptionType(cause)}: ${exceptionMessage(cause)}`;
    const message = `Error during type conversion from type: byte[] to the required type: java.lang.String due to ${why}`;
    throw new FlowException("org.apache.camel.TypeConversionException", message, { cause });
  }
}

/**
 * Converts as `convertTo`, but between text and bytes in the exchange's character set (Camel: IOConverter with an
 * exchange).
 */
export function convertIn(exchange: Exchange, value: unknown, typeName: string): unknown {
  const { messageBodyBytes } = exchange.run.limits;
  const type = fullTypeName(typeName);
  if (type === "byte[]") {
    if (value === null || value === undefined || value instanceof Uint8Array) return value ?? null;
    return charsetOf(exchange).encode(asText(value, messageBodyBytes));
  }
  const isBytes = value instanceof Uint8Array && type !== "java.lang.Object";
  return convertTo(isBytes ? decodedIn(exchange, value) : value, typeName, messageBodyBytes);
}

const mark = "\ufeff";

/**
 * Returns JSON's text: bytes by their mark or by the zeros of UTF-16 (RFC 4627, 3), else in the exchange's character
 * set, else as UTF-8. Drops a mark. Throws FlowException of the type `malformed` for bytes that are not UTF-8.
 */
export function jsonTextOf(exchange: Exchange, value: string | Uint8Array, malformed: string): string {
  if (typeof value === "string") return value.startsWith(mark) ? value.slice(1) : value;
  const failure = (why: string): Error => new FlowException(malformed, `the input is not JSON: ${why}`);
  return jsonText(value, charsetNameOf(exchange), failure);
}

/** As `jsonTextOf`, for bytes that have no exchange yet. `charset`: the name that came with them. */
export function jsonText(bytes: Uint8Array, charset: string | undefined, failure: (why: string) => Error): string {
  return decoded(bytes, marked(bytes) ?? zeros(bytes, 0) ?? named(charset), failure);
}

/**
 * Returns an XML document's text: bytes by their mark, else by the encoding that the document declares, else in the
 * exchange's character set, else as UTF-8 (XML 1.0, appendix F). Drops a mark. Throws what `failure` makes for bytes
 * that are not in that encoding, or for one that is not here.
 */
export function xmlTextOf(exchange: Exchange, value: string | Uint8Array, failure: (why: string) => Error): string {
  if (typeof value === "string") return value.startsWith(mark) ? value.slice(1) : value;
  return decoded(
    value,
    marked(value) ?? zeros(value, 0x3c) ?? declared(value, failure) ?? named(charsetNameOf(exchange)),
    failure,
  );
}

function decoded(bytes: Uint8Array, charset: Charset | undefined, failure: (why: string) => Error): string {
  if (charset === undefined || charset === charsetNamed("UTF-8")) {
    if (!isUtf8(bytes)) throw failure("its bytes are not UTF-8, and nothing names another character set");
  }
  const text = (charset ?? (charsetNamed("UTF-8") as Charset)).decode(bytes);
  return text.startsWith(mark) ? text.slice(1) : text;
}

/** Returns the set of a byte order mark. */
function marked([first, second, third]: Uint8Array): Charset | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return charsetNamed("UTF-8");
  if (first === 0xfe && second === 0xff) return charsetNamed("UTF-16");
  return first === 0xff && second === 0xfe ? charsetNamed("UTF-16") : undefined;
}

/** Returns UTF-16 without a mark, which has a zero beside its first character. `start`: that character; 0: any one. */
function zeros([first = 0, second = 0]: Uint8Array, start: number): Charset | undefined {
  const begins = (byte: number): boolean => byte !== 0 && (start === 0 || byte === start);
  if (first === 0 && begins(second)) return charsetNamed("UTF-16BE");
  return second === 0 && begins(first) ? charsetNamed("UTF-16LE") : undefined;
}

/** The longest beginning of a document that has its declaration. */
const headBytes = 256;
const declaration = /^<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:+-]+)["']/;

function declared(bytes: Uint8Array, failure: (why: string) => Error): Charset | undefined {
  if (bytes[0] !== 0x3c || bytes[1] !== 0x3f) return undefined;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString("latin1");
  const name = declaration.exec(head)?.[1];
  // These bytes are no UTF-16, since the declaration could be read.
  if (name === undefined || /^utf-?16/i.test(name)) return undefined;
  const charset = charsetNamed(name);
  if (charset === undefined) throw failure(`its encoding '${name.slice(0, 40)}' is not supported`);
  return charset;
}

/** Returns undefined without a name, and for one that says nothing here. */
function named(name: string | undefined): Charset | undefined {
  return name === undefined ? undefined : charsetNamed(name);
}
