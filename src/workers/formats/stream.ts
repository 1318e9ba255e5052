/** The input and output of data formats: Camel's streams, here bytes. */

import type { Limits } from "../../shared/limits.ts";
import { charsetOf, saysUtf8 } from "../engine/charset.ts";
import { noConverter } from "../engine/conversion.ts";
import { limitExceeded } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { FormBody } from "../engine/form.ts";
import { JsonText } from "../engine/message.ts";
import { markupOf } from "../engine/xml-value.ts";

/**
 * Returns the body as bytes. Throws NoTypeConversionAvailableException for null and for values, for which Camel has no
 * stream either.
 */
export function bodyBytes(exchange: Exchange, body: unknown): Uint8Array {
  return body instanceof Uint8Array ? body : charsetOf(exchange).encode(documentOf(body));
}

/** Returns the body as text; bytes are decoded in the exchange's character set. Throws as `bodyBytes`. */
export function bodyText(exchange: Exchange, body: unknown): string {
  return body instanceof Uint8Array ? charsetOf(exchange).decode(body) : documentOf(body);
}

/** Returns the body as bytes, or as the text that it is, for formats whose documents name their own encoding. */
export function bodyDocument(body: unknown): string | Uint8Array {
  return body instanceof Uint8Array ? body : documentOf(body);
}

function documentOf(body: unknown): string {
  if (typeof body === "string") return body;
  if (body instanceof JsonText && !(body instanceof FormBody)) return body.text;
  const markup = markupOf(body);
  if (markup !== undefined) return markup;
  throw noConverter(body, "java.io.InputStream");
}

/**
 * Returns a text that a format has written as the new body, in the exchange's character set. Throws
 * LimitExceededException.
 */
export function written(exchange: Exchange, text: string, limits: Limits): Uint8Array {
  checkLength(text.length, limits);
  const bytes = charsetOf(exchange).encode(text);
  checkLength(bytes.length, limits);
  return bytes;
}

/** As `written`, for formats that are always UTF-8; the exchange says so afterwards. */
export function writtenAsUtf8(exchange: Exchange, text: string, limits: Limits): Uint8Array {
  checkLength(text.length, limits);
  const bytes = encoder.encode(text);
  checkLength(bytes.length, limits);
  saysUtf8(exchange);
  return bytes;
}

const encoder = new TextEncoder();

function checkLength(length: number, { messageBodyBytes }: Limits): void {
  if (length > messageBodyBytes) throw tooLarge(messageBodyBytes);
}

/** Returns the same bytes without Buffer's own way to write itself as JSON. */
export function viewOf(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}

export function tooLarge(messageBodyBytes: number): Error {
  return limitExceeded("messageBodyBytes", `a message's body has at most ${messageBodyBytes} bytes`);
}
