/** Writes values as JSON in the style of the text around them. */
import type { JsonNode } from "./json-text.ts";

/** A value that is written as this text, such as a number with more digits than a double has. */
export class JsonSource {
  readonly text: string;

  /** Throws SyntaxError for a text that is not JSON. */
  constructor(text: string) {
    JSON.parse(text);
    this.text = text.trim();
  }
}

/** The value as plain data. */
export function plainOf(value: unknown): unknown {
  if (value instanceof JsonSource) return JSON.parse(value.text);
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plainOf(one)]));
}

export interface Style {
  /** What a level is indented by; "": everything stands on one line. */
  readonly unit: string;
  readonly newline: string;
  /** What stands between a name and its value, with the colon. */
  readonly colon: string;
  /** What stands behind a comma on one line. */
  readonly gap: string;
  /** What stands inside of braces on one line. */
  readonly pad: string;
}

/** Values up to this many characters are written on one line. */
const longest = 100;

export function styleOf(text: string): Style {
  // What stands inside of texts is no style.
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
  const isCompact = !/[{[,]\s/.test(bare) && /":\S/.test(bare);
  const unit = /\n([ \t]+)"/.exec(bare)?.[1] ?? "  ";
  return {
    unit: isCompact ? "" : unit,
    newline: text.includes("\r\n") ? "\r\n" : "\n",
    colon: isCompact ? ":" : ": ",
    gap: isCompact ? "" : " ",
    pad: bare.includes('{ "') ? " " : "",
  };
}

/** `indent`: what the line begins with on which the value begins. `isLong`: it is written over several lines. */
export function dump(value: unknown, style: Style, indent: string, isLong?: boolean): string {
  const line = onLine(value, style);
  if (isLong !== true && (style.unit === "" || indent.length + line.length <= longest)) return line;
  if (value instanceof JsonSource || typeof value !== "object" || value === null) return line;
  const inner = indent + style.unit;
  const parts = Array.isArray(value)
    ? value.map((one) => dump(one, style, inner))
    : Object.entries(value).map(([name, one]) => JSON.stringify(name) + style.colon + dump(one, style, inner));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0 || style.unit === "") return line;
  const lines = parts.map((part) => style.newline + inner + part).join(",");
  return `${open}${lines}${style.newline}${indent}${close}`;
}

function onLine(value: unknown, style: Style): string {
  if (value instanceof JsonSource) return value.text;
  if (Array.isArray(value)) return `[${value.map((one) => onLine(one, style)).join(`,${style.gap}`)}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, one]) => JSON.stringify(name) + style.colon + onLine(one, style));
  return members.length === 0 ? "{}" : `{${style.pad}${members.join(`,${style.gap}`)}${style.pad}}`;
}

/** Whether the parts of a container stand on lines of their own. */
export function isSpread(text: string, container: JsonNode): boolean {
  const first = container.children?.[0];
  return first !== undefined && text.slice(container.offset, first.offset).includes("\n");
}

/** What the line begins with on which an offset is. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}
