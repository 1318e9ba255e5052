/** Renders a value as text of a bounded length, without rendering all of a large one. */

import { hidden, isSecretName } from "../../shared/redact.ts";
import { asText } from "./convert.ts";
import { Exchange } from "./exchange.ts";
import { JsonText, Message } from "./message.ts";

/**
 * The most characters of a key that is kept in a map; a longer one, which messages may have, is replaced by its digest.
 */
const longest = 256;

export function boundedKey(text: string): string {
  if (text.length <= longest) return `=${text}`;
  const { createHash } = process.getBuiltinModule("node:crypto");
  return `#${createHash("sha256").update(text).digest("base64")}`;
}

const maxDepth = 32;

/**
 * Returns at most about `budget` characters: a text unchanged, bytes as UTF-8 text or their number, other values as
 * JSON, null as "".
 */
export function boundedText(value: unknown, budget: number): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.slice(0, budget);
  if (value instanceof JsonText) return value.text.slice(0, budget);
  if (value instanceof Uint8Array) return bytesText(value, budget);
  if (typeof value !== "object") return String(value).slice(0, budget);
  const writer: Writer = { text: "", budget };
  write(writer, value, 0);
  return writer.text.slice(0, budget);
}

interface Writer {
  text: string;
  readonly budget: number;
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (writer.text.length >= writer.budget) return;
  if (value instanceof JsonText) writer.text += value.text.slice(0, writer.budget);
  else if (typeof value === "string") writer.text += JSON.stringify(value.slice(0, writer.budget));
  else if (value instanceof Uint8Array) writer.text += `"[${value.length} bytes]"`;
  else if (value instanceof Date) writer.text += Number.isNaN(value.getTime()) ? "null" : `"${value.toISOString()}"`;
  else if (value instanceof Exchange || value instanceof Message) writer.text += JSON.stringify(asText(value));
  else if (value instanceof Error) writer.text += JSON.stringify(value.message.slice(0, writer.budget));
  else if (typeof value === "object" && value !== null) writeMembers(writer, value, depth);
  else if (typeof value === "number" || typeof value === "boolean") writer.text += String(value);
  else writer.text += typeof value === "bigint" ? value.toString() : "null";
}

function writeMembers(writer: Writer, value: object, depth: number): void {
  if (depth === maxDepth) writer.text += '"..."';
  else if (Array.isArray(value) || value instanceof Set) writeList(writer, value, depth);
  else writeMap(writer, value instanceof Map ? value : ownEntries(value), depth);
}

function writeList(writer: Writer, list: Iterable<unknown>, depth: number): void {
  let separator = "[";
  for (const item of list) {
    if (writer.text.length >= writer.budget) return;
    writer.text += separator;
    separator = ",";
    write(writer, item, depth + 1);
  }
  writer.text += separator === "[" ? "[]" : "]";
}

function writeMap(writer: Writer, entries: Iterable<readonly [unknown, unknown]>, depth: number): void {
  let separator = "{";
  for (const [key, item] of entries) {
    if (writer.text.length >= writer.budget) return;
    const name = String(key).slice(0, writer.budget);
    writer.text += `${separator}${JSON.stringify(name)}:`;
    separator = ",";
    write(writer, isSecretName(name) ? hidden : item, depth + 1);
  }
  writer.text += separator === "{" ? "{}" : "}";
}

function* ownEntries(value: object): Generator<readonly [string, unknown]> {
  for (const key in value) if (Object.hasOwn(value, key)) yield [key, (value as Record<string, unknown>)[key]];
}

/** A cut inside a character is not an error. Bytes that are not text are shown as their number. */
function bytesText(bytes: Uint8Array, budget: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, budget), { stream: true });
  } catch {
    return `[${bytes.length} bytes]`;
  }
}
