/** Formats such as `@csv`: a value as a certain kind of text. */
import { Buffer } from "node:buffer";
import { chargeText, checkLength, describeValue, JqError, type Json, toJson, toText } from "./values.ts";

type Format = (value: Json) => string;

const html: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;", "'": "&#39;", '"': "&quot;" };
const base32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const formats: Readonly<Record<string, Format>> = {
  text: toText,
  json: toJson,
  html: (value) => toText(value).replaceAll(/[<>&'"]/g, (char) => html[char] as string),
  uri: (value) => percentEncoded(wellFormed(toText(value))),
  urid: (value) => decoded(toText(value)),
  csv: (value) => row(value, "csv", ",", (text) => `"${text.replaceAll('"', '""')}"`),
  tsv: (value) =>
    row(value, "tsv", "\t", (text) => text.replaceAll(/[\\\t\n\r]/g, (char) => tsvEscapes[char] as string)),
  sh: (value) => (Array.isArray(value) ? value.map(shellWord).join(" ") : shellWord(value)),
  base64: (value) => Buffer.from(toText(value)).toString("base64"),
  base64d(value) {
    const text = toText(value);
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new JqError(`${describeValue(value)} is not valid base64 data`);
    if (text.replaceAll("=", "").length % 4 === 1)
      throw new JqError(`${describeValue(value)} trailing base64 byte found`);
    return Buffer.from(text, "base64").toString();
  },
  base32: (value) => encodeBase32(Buffer.from(toText(value))),
  base32d: (value) => decodeBase32(toText(value)).toString(),
};

/** Formats a value. Throws JqError for an unknown name and for what the format cannot express. */
export function formatAs(name: string, value: Json): string {
  if (!Object.hasOwn(formats, name)) throw new JqError(`${name} is not a valid format`);
  return chargeText((formats[name] as Format)(value));
}

export function isFormat(name: string): boolean {
  return Object.hasOwn(formats, name);
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}

function percent(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** How many characters are encoded per call: the native function is slow and cannot be interrupted. */
const pieceLength = 65_536;

function percentEncoded(text: string): string {
  let encoded = "";
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength;
    const splitsPair = /[\ud800-\udbff]/.test(text.charAt(end - 1));
    const piece = text.slice(at, splitsPair ? end + 1 : end);
    encoded += encodeURIComponent(piece).replaceAll(/[!'()*]/g, percent);
    checkLength(encoded.length);
    at += piece.length;
  }
  return encoded;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new JqError(`${describeValue(text)} is not a valid uri encoding`);
  }
}

const tsvEscapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function row(value: Json, name: string, separator: string, quoted: (text: string) => string): string {
  if (!Array.isArray(value))
    throw new JqError(`${describeValue(value)} cannot be ${name}-formatted, only an array can be`);
  return value
    .map((cell) => {
      if (typeof cell === "string") return quoted(cell);
      if (cell === null) return "";
      if (typeof cell === "object") throw new JqError(`${describeValue(cell)} is not valid in a csv row`);
      return toText(cell);
    })
    .join(separator);
}

function shellWord(value: Json): string {
  if (typeof value === "string") return `'${value.replaceAll("'", "'\\''")}'`;
  if (typeof value === "object" && value !== null)
    throw new JqError(`${describeValue(value)} can not be escaped for shell`);
  return toText(value);
}

function encodeBase32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += base32[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  if (bits > 0) text += base32[(held << (5 - bits)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, "=");
}

function decodeBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const char of text.replace(/=+$/, "")) {
    const digit = base32.indexOf(char);
    if (digit < 0) throw new JqError(`${describeValue(text)} is not valid base32 data`);
    held = ((held << 5) | digit) & 0xfff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((held >> bits) & 0xff);
    }
  }
  return Buffer.from(bytes);
}
