/** Character sets by their names in Java. */
import { FlowException } from "./exception.ts";
import type { Exchange } from "./exchange.ts";

export interface Charset {
  decode(bytes: Uint8Array): string;
  /** Encodes characters that the set lacks as `?`, as in Java. */
  encode(text: string): Uint8Array;
}

const utf8: Charset = {
  decode: (bytes) => decoder.decode(bytes),
  encode: (text) => encoder.encode(text),
};
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

const unicode: Readonly<Record<string, () => Charset>> = {
  "utf-8": () => utf8,
  "us-ascii": () => singleByte((byte) => (byte < 0x80 ? String.fromCharCode(byte) : "\ufffd")),
  "iso-8859-1": () => singleByte((byte) => String.fromCharCode(byte)),
  // The web's tables have other characters below 0xa0, so that they are those of windows-1254 and windows-874.
  "iso-8859-9": () => withControls("windows-1254"),
  "iso-8859-11": () => withControls("windows-874"),
  "utf-16le": () => utf16(true),
  "utf-16be": () => utf16(false),
  "utf-16": () => ({ decode: decodeMarked, encode: (text) => utf16(false).encode(`\ufeff${text}`) }),
};

/** Other names, in lower case, that Java has for them. */
const aliases: Readonly<Record<string, string>> = {
  utf8: "utf-8",
  utf16: "utf-16",
  ascii: "us-ascii",
  latin1: "iso-8859-1",
  l1: "iso-8859-1",
  latin9: "iso-8859-15",
};

/** `ISO8859_1` and `cp1252` are Java's old names. */
function canonical(name: string): string {
  const key = name.trim().toLowerCase();
  const old = /^iso[-_]?8859[-_](\d+)$/.exec(key)?.[1];
  if (old !== undefined) return `iso-8859-${old}`;
  const page = /^cp-?(125\d)$/.exec(key)?.[1];
  return page === undefined ? (aliases[key] ?? key) : `windows-${page}`;
}

/** Sets with one byte per character. Their tables are made by decoding each byte. */
const tables = /^(?:windows-125[0-8]|iso-8859-(?:[2-8]|1[03456])|koi8-[ru]|ibm866)$/;

const known = new Map<string, Charset>();

/** Returns undefined for a set that is not supported. */
export function charsetNamed(name: string): Charset | undefined {
  const key = canonical(name);
  const present = known.get(key);
  if (present !== undefined) return present;
  const charset = Object.hasOwn(unicode, key) ? unicode[key]?.() : tables.test(key) ? table(key) : undefined;
  if (charset !== undefined) known.set(key, charset);
  return charset;
}

/**
 * Returns the set that the message's header CamelCharsetName names, else the exchange's property of that name, else
 * UTF-8 (Camel: ExchangeHelper.getCharset). Throws UnsupportedCharsetException.
 */
export function charsetOf(exchange: Exchange): Charset {
  const name = charsetNameOf(exchange);
  if (name === undefined) return utf8;
  const charset = charsetNamed(name);
  if (charset !== undefined) return charset;
  throw new FlowException("java.nio.charset.UnsupportedCharsetException", name.slice(0, 100));
}

/** Returns the name that the exchange has for the character set of its bytes; undefined without one. */
export function charsetNameOf(exchange: Exchange): string | undefined {
  const { headers } = exchange.message;
  // No sender can set this header, so headers that only came are not read for it.
  const set = headers.isWritten("CamelCharsetName") ? headers.get("CamelCharsetName") : undefined;
  const name = set ?? exchange.charsetProperty ?? undefined;
  return name === undefined ? undefined : String(name);
}

/** Says that the body's bytes are UTF-8, where the exchange names another character set. */
export function saysUtf8(exchange: Exchange): void {
  const name = charsetNameOf(exchange);
  if (name === undefined || charsetNamed(name) === utf8) return;
  exchange.message.headers.delete("CamelCharsetName");
  exchange.properties.set("CamelCharsetName", "UTF-8");
}

function withControls(name: string): Charset {
  const one = new TextDecoder(name);
  return singleByte((byte) => (byte < 0xa0 ? String.fromCharCode(byte) : one.decode(Uint8Array.of(byte))));
}

function table(name: string): Charset {
  const one = new TextDecoder(name);
  return singleByte((byte) => one.decode(Uint8Array.of(byte)));
}

/** Bytes that are decoded at a time: a text that grew byte by byte would take thirty times its length. */
const pieceBytes = 4096;

function singleByte(character: (byte: number) => string): Charset {
  const characters = Array.from({ length: 256 }, (_, byte) => character(byte));
  const units = characters.map((one) => one.charCodeAt(0));
  const bytes = new Map(characters.map((one, byte) => [one, byte]));
  bytes.delete("\ufffd");
  return {
    decode(input) {
      const parts: string[] = [];
      for (let at = 0; at < input.length; at += pieceBytes) {
        const piece = Uint16Array.from(input.subarray(at, at + pieceBytes), (byte) => units[byte] as number);
        parts.push(String.fromCharCode(...piece));
      }
      return parts.join("");
    },
    encode: (text) => Uint8Array.from(text, (one) => bytes.get(one) ?? 0x3f),
  };
}

function utf16(littleEndian: boolean): Charset {
  const units = new TextDecoder(littleEndian ? "utf-16le" : "utf-16be", { ignoreBOM: true });
  return {
    decode: (bytes) => units.decode(bytes),
    encode(text) {
      const bytes = new Uint8Array(text.length * 2);
      const view = new DataView(bytes.buffer);
      for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
      return bytes;
    },
  };
}

/** Java's UTF-16: a byte order mark selects the order; big-endian without one. */
function decodeMarked(bytes: Uint8Array): string {
  const marked =
    bytes.length >= 2 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff));
  return utf16(bytes[0] === 0xff && marked).decode(marked ? bytes.subarray(2) : bytes);
}
