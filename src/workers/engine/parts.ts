/** Splits a value into the parts for split, sort and recipientList (Camel: ObjectHelper.createIterator, Splitter). */
import { isPlainObject } from "./convert.ts";
import { JsonNode } from "./json-node.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText } from "./message.ts";

/**
 * Yields the elements of a list, a set or a lazy list; the entries of a map as `{key, value}`; a text cut at each
 * delimiter (`false`: uncut), except at commas inside parentheses. JSON text of a list yields its elements, where Camel
 * would cut it at the commas; JSON that an expression has made yields its elements or values (Camel: a JsonNode is
 * Iterable). null and blank text have no parts, any other value is one part, and null elements are omitted. For a text
 * of more than `most` parts, only slightly more than `most` are made.
 */
export function partsOf(value: unknown, delimiter: string, most = Number.POSITIVE_INFINITY): Iterable<unknown> {
  if (value instanceof JsonNode) return present(value.parts());
  if (value instanceof JsonText && Array.isArray(value.value)) return present(value.value);
  if (value instanceof JsonText) return [value];
  if (isPlainObject(value)) return entriesOf(Object.entries(value));
  if (Array.isArray(value) || value instanceof Set || value instanceof LazyList) return present(value);
  if (value instanceof Map) return entriesOf(value);
  if (typeof value === "string") return textParts(value, delimiter, most);
  return value === null || value === undefined ? [] : [value];
}

/** The most parts that counting keeps, so that a short list is made only once. */
const keptByCount = 4096;

export interface CountedParts {
  readonly parts: Iterable<unknown>;
  readonly size: number;
}

/**
 * Returns the parts with their number. A list that is made during iteration is iterated twice, since Camel sets
 * CamelSplitSize from the first part on. Counting stops above `most`.
 */
export function countParts(parts: Iterable<unknown>, most: number): CountedParts {
  if (Array.isArray(parts)) return { parts, size: parts.length };
  const kept: unknown[] = [];
  let size = 0;
  for (const part of parts) {
    size += 1;
    if (size <= keptByCount) kept.push(part);
    if (size > most) break;
  }
  return { parts: size > keptByCount ? parts : kept, size };
}

function present(list: Iterable<unknown>): Iterable<unknown> {
  if (!Array.isArray(list)) return withoutNulls(list);
  return list.some(isNothing) ? list.filter((part) => !isNothing(part)) : list;
}

function withoutNulls(list: Iterable<unknown>): Iterable<unknown> {
  return walkable(function* () {
    for (const part of list) if (!isNothing(part)) yield part;
  });
}

function entriesOf(map: Iterable<readonly [unknown, unknown]>): Iterable<unknown> {
  return walkable(function* () {
    for (const [key, value] of map) yield { key, value };
  });
}

/** Groups parts in lists of `size`. */
export function inGroups(parts: Iterable<unknown>, size: number): Iterable<unknown> {
  return walkable(function* () {
    let group: unknown[] = [];
    for (const part of parts) {
      group.push(part);
      if (group.length < size) continue;
      yield group;
      group = [];
    }
    if (group.length > 0) yield group;
  });
}

/** Each iteration starts from the beginning. */
function walkable(walk: () => Iterator<unknown>): Iterable<unknown> {
  return { [Symbol.iterator]: walk };
}

function isNothing(part: unknown): boolean {
  return part === null || part === undefined;
}

function textParts(text: string, delimiter: string, most: number): readonly string[] {
  if (text.trim() === "") return [];
  if (delimiter === "false" || delimiter === "" || !text.includes(delimiter)) return [text];
  // Two more, since an empty first and last part do not count.
  const made = Math.min(most + 3, 2 ** 32 - 1);
  const parts = delimiter === "," && text.includes("(") ? atOuterCommas(text, made) : text.split(delimiter, made);
  // A delimiter before the first part and one after the last do not count (Camel:
  // StringHelper.splitOnCharacterAsIterator).
  return parts.slice(parts[0] === "" ? 1 : 0, parts.at(-1) === "" ? -1 : undefined);
}

/** An unclosed bracket protects no comma. A closed one is skipped, so that each character is read once. */
function atOuterCommas(text: string, most: number): string[] {
  const parts: string[] = [];
  const lastClosing = text.lastIndexOf(")");
  let start = 0;
  for (let at = 0; at < text.length && parts.length < most; at++) {
    if (text[at] === "(" && at < lastClosing) at = text.indexOf(")", at);
    else if (text[at] === ",") {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
