/** Writes JSON text as Jackson does. */
import { type ParsedFrom, parseExactly, reviveExactly } from "../../shared/exact-json.ts";
import type { Limits } from "../../shared/limits.ts";
import { meaning } from "../engine/json-data.ts";
import { TextBuilder } from "../engine/text-builder.ts";
import { tooDeep, writeJson } from "../engine/write-json.ts";
import { tooLarge } from "./stream.ts";

export interface JsonStyle {
  readonly pretty: boolean;
  readonly include: "ALWAYS" | "NON_NULL" | "NON_ABSENT" | "NON_EMPTY";
  readonly sortKeys: boolean;
  readonly combineUnicodeSurrogates: boolean;
  /** true: dates are ISO 8601; false: milliseconds. */
  readonly textDates: boolean;
}

const pair = /[\ud800-\udbff][\udc00-\udfff]/g;

/**
 * The returned function throws LimitExceededException for a text longer than a body may be, and for values that nest
 * too deep.
 */
export function jsonWriter(style: JsonStyle, { messageBodyBytes: most }: Limits): (value: unknown) => string {
  const { include, sortKeys } = style;
  const write = (value: unknown): string => {
    let text = writeJson(value, most, "", (holder, key, plain) => translate(holder, key, plain, style.textDates));
    if (include !== "ALWAYS" || sortKeys) {
      // Works from the leaves upwards, so that a map that becomes empty is left out of its own map.
      text = JSON.stringify(
        JSON.parse(text, function (this: unknown, key, given: unknown, from?: ParsedFrom) {
          const inner = reviveExactly(key, given, from);
          if (key !== "" && !Array.isArray(this) && isLeftOut(inner, include)) return undefined;
          return sortKeys ? sorted(inner) : inner;
        }),
      );
    }
    if (style.pretty) text = prettyText(parseExactly(text), most);
    return style.combineUnicodeSurrogates ? text : text.replaceAll(pair, escaped);
  };
  return (value) => {
    try {
      return write(value);
    } catch (error) {
      // Indented and sorted output needs a deeper stack than the measuring before.
      throw error instanceof RangeError ? tooDeep() : error;
    }
  };
}

/** Converts a value that JSON lacks as Jackson does: bytes to Base64, dates by the option. */
function translate(holder: unknown, key: string, plain: unknown, textDates: boolean): unknown {
  const value = meaning((holder as Record<string, unknown>)[key]);
  if (typeof value !== "object" || value === null) return plain;
  if (value instanceof Date) {
    const text = value.toJSON();
    // An invalid date, which only a script can make.
    if (text === null) return null;
    return textDates ? text.replace("Z", "+00:00") : value.getTime();
  }
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : plain;
}

function isLeftOut(value: unknown, include: JsonStyle["include"]): boolean {
  if (include === "ALWAYS") return false;
  if (value === null) return true;
  if (include !== "NON_EMPTY") return false;
  return value === "" || (typeof value === "object" && Object.keys(value).length === 0);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function escaped(characters: string): string {
  const unit = (at: number) => `\\u${characters.charCodeAt(at).toString(16).toUpperCase()}`;
  return unit(0) + unit(1);
}

/**
 * Jackson's DefaultPrettyPrinter: `"key" : value`, one entry per line; lists on one line. `value` is the parsed JSON.
 */
function prettyText(value: unknown, most: number): string {
  const written = new TextBuilder(most, tooLarge);
  const add = (part: string): void => written.append(part);
  const write = (inner: unknown, depth: number): void => {
    if (Array.isArray(inner)) {
      inner.forEach((element, at) => {
        add(at === 0 ? "[ " : ", ");
        write(element, depth);
      });
      add(inner.length === 0 ? "[ ]" : " ]");
    } else if (typeof inner === "object" && inner !== null) {
      let separator = "{\n";
      for (const [key, element] of Object.entries(inner)) {
        add(`${separator}${"  ".repeat(depth + 1)}${JSON.stringify(key)} : `);
        write(element, depth + 1);
        separator = ",\n";
      }
      add(separator === "{\n" ? "{ }" : `\n${"  ".repeat(depth)}}`);
    } else add(JSON.stringify(inner));
  };
  write(value, 0);
  return written.text;
}
