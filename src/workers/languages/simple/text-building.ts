/** Builds text from text, and checks the length before building. */

import { asText, asValue, isPlainObject } from "../../engine/convert.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { compileRegex, type Regex } from "../../engine/regex.ts";
import { writeJson } from "../../engine/write-json.ts";
import { checkCount, simpleTextTooLong } from "./eval.ts";

/** Replaces every occurrence of `from`; an empty one matches between all characters (Java's `String.replace`). */
export function replaceText(text: string, from: string, to: string, max: number): string {
  if (to.length > from.length) {
    const room = Math.floor((max - text.length) / (to.length - from.length));
    if (countOf(text, from, room) > room) throw simpleTextTooLong(max);
  }
  return text.replaceAll(from, () => to);
}

/** Counts occurrences of `part`, up to one more than `limit`. */
function countOf(text: string, part: string, limit: number): number {
  if (part === "") return text.length + 1;
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count <= limit; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

const metacharacters = /[.$|()[{^?*+\\]/;

/** Splits as Java's `String.split`: the separator is a regular expression, and empty parts at the end are dropped. */
export function splitter(
  separator: string,
  compile: (pattern: string) => Regex = compileRegex,
): (text: string, max: number) => string[] {
  if (separator !== "" && !metacharacters.test(separator)) {
    return (text, max) => {
      checkCount(countOf(text, separator, max / 8), max);
      const parts = text.split(separator);
      while (parts.length > 1 && parts.at(-1) === "") parts.pop();
      return parts;
    };
  }
  const regex = compile(separator);
  return (text, max) => {
    // Makes one part more than allowed, so that an excess is noticed without making all parts.
    const parts = regex.split(text, Math.floor(max / 8) + 1);
    checkCount(parts.length, max);
    while (parts.length > 1 && parts.at(-1) === "") parts.pop();
    return parts;
  };
}

export function repeat(text: string, count: number, max: number): string {
  if (count > 0 && text.length * count > max) throw simpleTextTooLong(max);
  return count > 0 ? text.repeat(count) : "";
}

/** Formats a list, a map or a JSON text with a tab per level and a line end at the end; any other value as text. */
export function prettyText(value: unknown, max: number): string {
  const inner = asValue(value);
  if (Array.isArray(inner) || isPlainObject(inner)) return `${writeJson(inner, max, "\t")}\n`;
  const text = asText(value, max);
  const parsed = parsedJson(text);
  return parsed === undefined ? text : `${writeJson(parsed.value, max, "\t")}\n`;
}

function parsedJson(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}
