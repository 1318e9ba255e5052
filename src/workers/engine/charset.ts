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
  utf8: () => utf8,
  "us-ascii": () => singleByte((byte) => (byte < 0x80 ? String.fromCharCode(byte) : "\ufffd")),
  ascii: () => singleByte((byte) => (byte < 0x80 ? String.fromCharCode(byte) : "\ufffd")),
  "iso-8859-1": () => singleByte((byte) => String.fromCharCode(byte)),
  latin1: () => singleByte((byte) => String.fromCharCode(byte)),
  "utf-16le": () => utf16(true),
  "utf-16be": () => utf16(false),
  "utf-16": () => ({ decode: decodeMarked, encode: (text) => utf16(false).encode(`\ufeff${text}`) }),
};

/** Sets with one byte per character. Their tables are made by decoding each byte. */
const tables = /^(?:windows-125[0-8]|iso-8859-(?:[2-8]|1[03456])|koi8-[ru]|ibm866)$/;

const known = new Map<string, Charset>();

/** Returns undefined for a set that is not supported. */
export function charsetNamed(name: string): Charset | undefined {
  const key = name.trim().toLowerCase();
  const present = known.get(key);
  if (present !== undefined) return present;
  const charset = Object.hasOwn(unicode, key) ? unicode[key]?.() : tables.test(key) ? table(key) : undefined;
  if (charset !== undefined) known.set(key, charset);
  return charset;
}

/** Returns the set that the property CamelCharsetName names, else UTF-8 (Camel: ExchangeHelper.getCharset). */
export function charsetOf({ properties }: Exchange): Charset {
  const name = properties.get("CamelCharsetName");
  if (name === undefined || name === null) return utf8;
  const charset = charsetNamed(String(name));
  if (charset !== undefined) return charset;
  throw new FlowException("java.nio.charset.UnsupportedCharsetException", String(name).slice(0, 100));
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
