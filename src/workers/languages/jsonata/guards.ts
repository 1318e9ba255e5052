/** Functions of jsonata that could build more than a message may hold, or need a deep stack, in a form that does neither. */
import { FlowException } from "../../engine/exception.ts";
import { writeJson } from "../../engine/write-json.ts";
import type { Budget } from "../budget.ts";
import type { Jsonata } from "./library.ts";

/** The budget of the evaluation under way: functions are the library's own and shared by all expressions. */
export interface Guard {
  budget: Budget | undefined;
  readonly maxBytes: () => number;
}

type Compare = (a: unknown, b: unknown) => boolean;
type Call = (...values: never[]) => unknown;

/** Replaces functions inside the library; the result has those that expressions call by name, each with its signature. */
export function guardFunctions({ functions }: Jsonata, guard: Guard): ReadonlyMap<string, readonly [Call, string]> {
  const { string, pad, join, replace, sort } = functions as Record<
    "string" | "pad" | "join" | "replace" | "sort",
    Call
  >;
  const measured = function (this: unknown, value: unknown, ...more: unknown[]): unknown {
    // A small value may hold the same list a million times over.
    if (typeof value === "object" && value !== null) writeJson(value, guard.maxBytes());
    return string.apply(this, [value, ...more] as never[]);
  };
  const guarded: Record<string, Call> = {
    string: measured,
    pad(this: unknown, text: unknown, width: number, ...more: unknown[]) {
      guard.budget?.checkSize(Math.abs(width));
      return pad.apply(this, [text, width, ...more] as never[]);
    },
    join(this: unknown, texts: unknown, separator?: unknown) {
      const list = Array.isArray(texts) ? texts : [texts];
      let size = 0;
      for (const text of list) size += String(text).length + (typeof separator === "string" ? separator.length : 0);
      guard.budget?.checkSize(size);
      return join.apply(this, [texts, separator] as never[]);
    },
    replace(this: unknown, text: unknown, pattern: unknown, replacement: unknown, ...more: unknown[]) {
      if (typeof text === "string" && typeof replacement === "string") {
        guard.budget?.checkSize(((text.length + 1) * replacement.length) / shortest(pattern));
      }
      return replace.apply(this, [text, pattern, replacement, ...more] as never[]);
    },
    sort(this: unknown, list: unknown, compare?: unknown) {
      if (!Array.isArray(list)) return list;
      const swap: Compare = compare === undefined ? defaultOrder.call(this, sort, list) : (compare as Compare);
      return [...list].sort((a, b) => (swap(a, b) ? 1 : swap(b, a) ? -1 : 0));
    },
    clone(value: unknown) {
      if (value === undefined) return undefined;
      return JSON.parse(writeJson(value, guard.maxBytes()));
    },
    eval() {
      throw new FlowException(
        "com.dashjoin.jsonata.JException",
        "$eval is not available: texts that arrive at run time are never evaluated",
      );
    },
  };
  for (const name of ["string", "sort"]) functions[name] = guarded[name] as Call;
  return new Map(Object.entries(signatures).map(([name, signature]) => [name, [guarded[name] as Call, signature]]));
}

const signatures = {
  string: "<x-b?:s>",
  pad: "<s-ns?:s>",
  join: "<a<s>s?:s>",
  replace: "<s-(sf)(sf)n?:s>",
  sort: "<af?:a>",
  clone: "<(oa)-:o>",
  eval: "<sx?:x>",
};

/** Characters that one replacement takes away at least. */
function shortest(pattern: unknown): number {
  return typeof pattern === "string" && pattern.length > 0 ? pattern.length : 1;
}

/** Throws what the library throws for elements that have no order of their own. */
function defaultOrder(this: unknown, sort: Call, list: readonly unknown[]): Compare {
  const isNumber = typeof list[0] === "number";
  const mixed = list.some((one) => (typeof one === "number") !== isNumber || (!isNumber && typeof one !== "string"));
  if (mixed && list.length > 1) sort.apply(this, [list] as never[]);
  return (a, b) => (a as number) > (b as number);
}
