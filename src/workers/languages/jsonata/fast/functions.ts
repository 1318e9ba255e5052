/**
 * Functions that closures may call: the library's own for single values of the expected types. The interpreter does all
 * other calls.
 */
import { exactSum } from "../../../../shared/whole-numbers.ts";
import { mappedValue, newUuid } from "../functions.ts";
import { longestPicture, pictured } from "../guard.ts";
import { type Call, type Jsonata, numbers } from "../library.ts";
import { type Closure, type Scope, unsure } from "./closure.ts";
import { stringOf, truthOf } from "./scalar.ts";

/**
 * Types of the arguments: s text, n number, b boolean. Arguments after `?` are optional. The first one may be undefined
 * at run time.
 */
const kinds: Readonly<Record<string, string>> = {
  number: "(snb)",
  uppercase: "s",
  lowercase: "s",
  trim: "s",
  length: "s",
  substring: "sn?n",
  substringBefore: "ss",
  substringAfter: "ss",
  contains: "ss",
  abs: "n",
  floor: "n",
  ceil: "n",
  round: "n?n",
  pad: "sn?s",
  replace: "sss",
  fromMillis: "n?ss",
  toMillis: "s",
  formatBase: "n?n",
  formatNumber: "ns",
};

type Special = (given: readonly unknown[], scope: Scope) => unknown;

/** Functions written here, with the fewest and the most arguments of each. */
const special: Readonly<Record<string, readonly [least: number, most: number, Special]>> = {
  string: [1, 1, ([value]) => stringOf(value)],
  boolean: [1, 1, ([value]) => (value === undefined ? undefined : truthOf(value))],
  not: [1, 1, ([value]) => (value === undefined ? undefined : not(truthOf(value)))],
  exists: [1, 1, ([value]) => value !== undefined],
  count: [1, 1, ([value]) => (value === undefined ? 0 : Array.isArray(value) ? value.length : 1)],
  sum: [1, 1, ([value]) => sum(value)],
  join: [1, 2, ([texts, separator], scope) => join(texts, separator, scope)],
  type: [1, 1, ([value]) => typeOf(value)],
  now: [0, 0, (_, { session: { now } }) => (now === undefined ? unsure : new Date(now).toISOString())],
  millis: [0, 0, (_, { session: { now } }) => now ?? unsure],
  uuid: [0, 0, (_, { session }) => newUuid(session)],
};

/** Returns undefined for a function, or a number of arguments, that needs the interpreter. */
export function compileCall(
  name: string,
  given: readonly Closure[],
  { functions, datetime }: Jsonata,
): Closure | undefined {
  if (name === "vmap") return vmap(given);
  const own = Object.hasOwn(special, name) ? special[name] : undefined;
  if (own !== undefined) {
    const [least, most, call] = own;
    return given.length < least || given.length > most ? undefined : called(given, call);
  }
  const signature = Object.hasOwn(kinds, name) ? (kinds[name] as string) : undefined;
  const call = (functions[name] ?? datetime[name]) as Call | undefined;
  if (signature === undefined || call === undefined) return undefined;
  const [needed = "", optional = ""] = signature.split("?");
  const wanted = [...parse(needed), ...parse(optional)];
  if (given.length < parse(needed).length || given.length > wanted.length) return undefined;
  const isPictured = Object.hasOwn(pictured, name);
  return called(given, (values, { session: { budget } }) => {
    if (!values.every((value, index) => fits(value, wanted[index] as string, index))) return unsure;
    if (isPictured && String(values[1] ?? "").length > longestPicture) return unsure;
    budget.checkSize(largest(name, values));
    try {
      const result: unknown = call.apply(undefined, values as never[]);
      if (typeof result === "string") budget.keep(result.length);
      return result;
    } catch {
      return unsure;
    }
  });
}

/** The most characters that a call may build, unless its arguments are longer. */
function largest(name: string, [text, other, replacement]: readonly unknown[]): number {
  if (name === "pad") return Math.abs(other as number);
  if (name !== "replace" || typeof text !== "string") return 0;
  return ((text.length + 1) * (replacement as string).length) / Math.max(1, (other as string).length);
}

function parse(signature: string): readonly string[] {
  return signature.match(/\([^)]*\)|./g) ?? [];
}

function fits(value: unknown, wanted: string, index: number): boolean {
  if (value === undefined) return index === 0;
  const kind = typeof value;
  return (kind === "string" || kind === "number" || kind === "boolean") && wanted.includes(kind.charAt(0));
}

function called(given: readonly Closure[], call: Special): Closure {
  const [first, ...others] = given;
  if (first !== undefined && others.length === 0) {
    return (scope) => {
      const value = first(scope);
      return value === unsure ? unsure : call([value], scope);
    };
  }
  return (scope) => {
    const values: unknown[] = [];
    for (const one of given) {
      const value = one(scope);
      if (value === unsure) return unsure;
      values.push(value);
    }
    return call(values, scope);
  };
}

/** The caller has checked that the first three arguments are texts. */
function vmap(given: readonly Closure[]): Closure | undefined {
  if (given.length !== 4) return undefined;
  return called(given, ([id, from, to, value], { session }) =>
    mappedValue(session, id as string, from as string, to as string, value),
  );
}

function not(value: ReturnType<typeof truthOf>): boolean | typeof unsure {
  return value === unsure ? unsure : !value;
}

function sum(value: unknown): unknown {
  if (value === undefined || typeof value === "number") return value;
  if (!Array.isArray(value)) return unsure;
  let total: number | bigint = 0;
  for (const one of value) {
    if (typeof one !== "number") return unsure;
    total = exactSum(total, one);
  }
  return total;
}

function join(texts: unknown, separator: unknown, { session: { budget } }: Scope): unknown {
  if (texts === undefined) return undefined;
  if (separator !== undefined && typeof separator !== "string") return unsure;
  if (typeof texts === "string") return texts;
  if (!Array.isArray(texts)) return unsure;
  let size = 0;
  for (const text of texts) {
    if (typeof text !== "string") return unsure;
    size += text.length + (separator?.length ?? 0);
  }
  budget.checkSize(size);
  budget.keep(size);
  return texts.join(separator ?? "");
}

function typeOf(value: unknown): unknown {
  if (value === undefined) return undefined;
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? unsure : numbers.kind(value);
}
