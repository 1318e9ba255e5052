/**
 * Replaces functions of jsonata that could build more than a message may hold, or need a deep stack, by bounded ones.
 */

import { parseExactly } from "../../../shared/exact-json.ts";
import { FlowException } from "../../engine/exception.ts";
import { writeJson } from "../../engine/write-json.ts";
import { type Guard, leastObject, pictured } from "./guard.ts";
import { type Call, type Jsonata, numbers } from "./library.ts";

type Compare = (a: unknown, b: unknown) => boolean;

/** Replaces functions inside the library, and those that expressions call by name. */
export function guardFunctions({ functions, datetime, staticFrame, defineFunction }: Jsonata, guard: Guard): void {
  const { string, pad, join, replace, sort, distinct, zip } = functions as Record<
    "string" | "pad" | "join" | "replace" | "sort" | "distinct" | "zip",
    Call
  >;
  const measured = function (this: unknown, value: unknown, ...more: unknown[]): unknown {
    // Measures the JSON first: a small value may contain the same list a million times.
    if (typeof value === "object" && value !== null) writeJson(value, guard.maxBytes());
    return string.apply(this, [value, ...more] as never[]);
  };
  const guarded: Record<string, Call> = {
    string: measured,
    pad(this: unknown, text: unknown, width: number, ...more: unknown[]) {
      guard.checkSize(Math.abs(width));
      return pad.apply(this, [text, width, ...more] as never[]);
    },
    join(this: unknown, texts: unknown, separator?: unknown) {
      const list = Array.isArray(texts) ? texts : [texts];
      let size = 0;
      for (const text of list) size += String(text).length + (typeof separator === "string" ? separator.length : 0);
      guard.checkSize(size);
      return join.apply(this, [texts, separator] as never[]);
    },
    replace(this: unknown, text: unknown, pattern: unknown, replacement: unknown, ...more: unknown[]) {
      if (typeof text === "string" && typeof replacement === "string") {
        guard.checkSize(((text.length + 1) * replacement.length) / shortest(pattern));
      }
      return replace.apply(this, [text, pattern, replacement, ...more] as never[]);
    },
    sort(this: unknown, list: unknown, compare?: unknown) {
      if (!Array.isArray(list)) return list;
      const swap: Compare = compare === undefined ? defaultOrder.call(this, sort, list) : (compare as Compare);
      return [...list].sort((a, b) => (swap(a, b) ? 1 : swap(b, a) ? -1 : 0));
    },
    zip(this: unknown, ...lists: unknown[]) {
      const lengths = lists.map((list) => (Array.isArray(list) ? list.length : 1));
      guard.checkSize(Math.min(...lengths) * (leastObject + 8 * lists.length));
      return zip.apply(this, lists as never[]);
    },
    distinct(this: { createSequence(): unknown[] }, list: unknown) {
      if (!Array.isArray(list) || list.length < 2) return list;
      const found = "sequence" in list && list.sequence === true ? this.createSequence() : [];
      const plain = new Set<unknown>();
      const held: unknown[] = [];
      const isSame = (a: unknown, b: unknown): boolean => {
        guard.tick();
        return (distinct.apply(this, [[a, b]] as never[]) as unknown[]).length === 1;
      };
      for (const value of list as readonly unknown[]) {
        const isPlain = typeof value !== "object" || value === null;
        if (isPlain ? plain.has(value) : held.some((one) => isSame(one, value))) continue;
        if (isPlain) plain.add(value);
        else held.push(value);
        found.push(value);
      }
      return found;
    },
    clone(this: unknown, value: unknown) {
      if (value === undefined) return undefined;
      // Keeps the library's own text, whose numbers have 15 digits.
      return parseExactly(measured.call(this, value) as string);
    },
    eval() {
      throw new FlowException(
        "com.dashjoin.jsonata.JException",
        "$eval is not available: texts that arrive at run time are never evaluated",
      );
    },
  };
  for (const name of ["string", "sort"]) functions[name] = guarded[name] as Call;
  const library: Readonly<Record<string, Call>> = { ...datetime, ...functions };
  for (const name of Object.keys(pictured)) {
    const call = library[name] as Call;
    guarded[name] = function (this: unknown, value: unknown, picture: unknown, ...more: unknown[]) {
      guard.checkPicture(picture);
      return call.apply(this, [value, picture, ...more] as never[]);
    };
  }
  for (const [name, signature] of Object.entries({ ...signatures, ...pictured })) {
    const call = guarded[name] ?? (library[name] as Call);
    const parameters = arity(library[name] ?? call);
    staticFrame.bind(name, defineFunction(counting(call, parameters, guard), signature));
  }
}

/**
 * Declares the number of parameters. The library reads it from a function's source to decide how many arguments to
 * pass.
 */
function arity(call: Call): number {
  return /\(([^)]*)\)/.exec(call.toString())?.[1]?.split(",").length ?? 1;
}

/**
 * Charges the result of a function, because the library's hook after each evaluation misses the last call in a lambda.
 */
function counting(call: Call, parameters: number, guard: Guard): Call {
  const counted = (that: unknown, values: readonly unknown[]): unknown => {
    guard.tick();
    const result = call.apply(that, values as never[]);
    guard.keep(result);
    return result;
  };
  if (parameters < 2)
    return function (this: unknown, ...values) {
      return counted(this, values);
    };
  if (parameters === 2)
    return function (this: unknown, first: unknown, ...values) {
      return counted(this, [first, ...values]);
    };
  return function (this: unknown, first: unknown, second: unknown, ...values) {
    return counted(this, [first, second, ...values]);
  };
}

const signatures = {
  lowercase: "<s-:s>",
  uppercase: "<s-:s>",
  split: "<s-(sf)n?:a<s>>",
  append: "<xx:a>",
  reverse: "<a:a>",
  shuffle: "<a:a>",
  distinct: "<x:x>",
  spread: "<x-:a<o>>",
  keys: "<x-:a<s>>",
  zip: "<a+>",
  map: "<af>",
  filter: "<af>",
  each: "<o-f:a>",
  base64encode: "<s-:s>",
  base64decode: "<s-:s>",
  encodeUrlComponent: "<s-:s>",
  encodeUrl: "<s-:s>",
  decodeUrlComponent: "<s-:s>",
  decodeUrl: "<s-:s>",
  string: "<x-b?:s>",
  pad: "<s-ns?:s>",
  join: "<a<s>s?:s>",
  replace: "<s-(sf)(sf)n?:s>",
  sort: "<af?:a>",
  clone: "<(oa)-:o>",
  eval: "<sx?:x>",
};

/** The least characters that a replacement removes. */
function shortest(pattern: unknown): number {
  return typeof pattern === "string" && pattern.length > 0 ? pattern.length : 1;
}

/** The default order. Throws the library's error for elements without an order of their own. */
function defaultOrder(this: unknown, sort: Call, list: readonly unknown[]): Compare {
  const kind = numbers.kind(list[0]);
  const mixed = list.some((one) => numbers.kind(one) !== kind || (kind !== "number" && kind !== "string"));
  if (mixed && list.length > 1) sort.apply(this, [list] as never[]);
  return (a, b) => (a as number) > (b as number);
}
