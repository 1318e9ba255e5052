/** Builtins that are functions of values: numbers, texts, lists, JSON. */

import { numberOf } from "../../engine/convert.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { matchFunction } from "./match.ts";
import { indicesOf } from "./paths.ts";
import {
  chargeList,
  chargeText,
  checkLength,
  compare,
  describeValue,
  isNumber,
  isObject,
  JqError,
  type Json,
  sortedKeys,
  splitText,
  surrogates,
  tick,
  toJson,
  toText,
  typeOf,
} from "./values.ts";

type Call = (input: Json, ...parameters: Json[]) => Json;

export const functionsOfValues: Readonly<Record<string, Call>> = {
  "type/0": typeOf,
  "length/0"(value) {
    if (value === null) return 0;
    if (typeof value === "string") return surrogates.test(value) ? [...value].length : value.length;
    if (isNumber(value)) return absolute(value);
    if (Array.isArray(value)) return value.length;
    if (isObject(value)) return Object.keys(value).length;
    throw new JqError(`${describeValue(value)} has no length`);
  },
  "utf8bytelength/0"(value) {
    if (typeof value !== "string") throw new JqError(`${describeValue(value)} only strings have UTF-8 byte length`);
    return new TextEncoder().encode(value).length;
  },
  "keys/0"(value) {
    if (Array.isArray(value)) return value.map((_, i) => i);
    if (isObject(value)) return sortedKeys(value);
    throw new JqError(`${describeValue(value)} has no keys`);
  },
  "has/1"(value, key) {
    if (isObject(value) && typeof key === "string") return Object.hasOwn(value, key);
    if (Array.isArray(value) && isNumber(key)) return key >= 0 && key < value.length;
    throw new JqError(
      `Cannot check whether ${typeOf(value)} has a ${typeof key === "string" ? "string" : typeOf(key)} key`,
    );
  },
  "contains/1": contains,
  "tostring/0": toText,
  "tojson/0": toJson,
  "fromjson/0"(value) {
    if (typeof value !== "string") throw new JqError(`${describeValue(value)} cannot be parsed as JSON`);
    try {
      return /^\s*-?nan\s*$/i.test(value) ? Number.NaN : (parseJson(value) as Json);
    } catch {
      throw new JqError(
        `${value.length > 40 ? `${value.slice(0, 40)}...` : value} (while parsing '${value.slice(0, 40)}')`,
      );
    }
  },
  "tonumber/0"(value) {
    if (isNumber(value)) return value;
    const read = typeof value === "string" && !value.startsWith("+") ? numberOf(value) : undefined;
    if (read !== undefined) return read;
    throw new JqError(`${describeValue(value)} cannot be parsed as a number`);
  },
  "infinite/0": () => Number.POSITIVE_INFINITY,
  "nan/0": () => Number.NaN,
  "null/0": () => null,
  "isinfinite/0": (value) => Math.abs(number(value)) === Number.POSITIVE_INFINITY,
  "isnan/0": (value) => Number.isNaN(number(value)),
  "isnormal/0": (value) => Number.isFinite(number(value)) && Math.abs(number(value)) >= 2.2250738585072014e-308,
  "floor/0": roundWith(Math.floor),
  "ceil/0": roundWith(Math.ceil),
  "round/0": roundWith((value) => Math.sign(value) * Math.round(Math.abs(value))),
  "trunc/0": roundWith(Math.trunc),
  "rint/0": roundWith(roundToEven),
  "nearbyint/0": roundWith(roundToEven),
  "fabs/0": (value) => (isNumber(value) ? absolute(value) : number(value)),
  "significand/0"(value) {
    const given = number(value);
    return given === 0 ? 0 : given / 2 ** Math.floor(Math.log2(Math.abs(given)));
  },
  "logb/0": (value) => Math.floor(Math.log2(Math.abs(number(value)))),
  "exp2/0": (value) => 2 ** number(value),
  "exp10/0": (value) => 10 ** number(value),
  "pow/2": (_, base, exponent) => number(base) ** number(exponent),
  "atan2/2": (_, y, x) => Math.atan2(number(y), number(x)),
  "fmod/2": (_, a, b) => number(a) % number(b),
  "fmin/2": (_, a, b) => Math.min(number(a), number(b)),
  "fmax/2": (_, a, b) => Math.max(number(a), number(b)),
  "ldexp/2": (_, a, b) => number(a) * 2 ** number(b),
  "scalb/2": (_, a, b) => number(a) * 2 ** number(b),
  "startswith/1": (value, part) => bothTexts(value, part, "startswith", (text, start) => text.startsWith(start)),
  "endswith/1": (value, part) => bothTexts(value, part, "endswith", (text, end) => text.endsWith(end)),
  "trim/0": (value) => trimmed(value, (text) => text.trim()),
  "ltrim/0": (value) => trimmed(value, (text) => text.trimStart()),
  "rtrim/0": (value) => trimmed(value, (text) => text.trimEnd()),
  "explode/0"(value) {
    if (typeof value !== "string") throw new JqError(`${describeValue(value)} cannot be exploded`);
    checkLength(8 * value.length);
    return chargeList(Array.from(value, (char) => char.codePointAt(0) as number));
  },
  "implode/0"(value) {
    if (!Array.isArray(value)) throw new JqError(`${describeValue(value)} cannot be imploded`);
    let text = "";
    for (const code of value) {
      if (typeof code !== "number") throw new JqError("Unicode codepoint must be numeric");
      const isCharacter = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      text += String.fromCodePoint(isCharacter ? Math.floor(code) : 0xfffd);
    }
    return chargeText(text);
  },
  "split/1"(value, separator) {
    if (typeof value !== "string" || typeof separator !== "string")
      throw new JqError("split input and separator must be strings");
    return value === "" ? [] : splitText(value, separator);
  },
  "join/1"(value, separator) {
    if (!Array.isArray(value)) throw new JqError(`Cannot iterate over ${describeValue(value)}`);
    if (value.length === 0) return "";
    if (typeof separator !== "string") throw new JqError(`${describeValue(separator)} cannot separate texts`);
    let text = "";
    for (const [at, element] of value.entries()) {
      if (typeof element === "object" && element !== null)
        throw new JqError(`string (${toJson(text)}) and ${describeValue(element)} cannot be added`);
      text += (at > 0 ? separator : "") + (element === null ? "" : toText(element));
      checkLength(text.length);
    }
    return chargeText(text);
  },
  "indices/1"(value, part) {
    if (value === null) return null;
    if (typeof value === "string" && typeof part === "string") return textIndices(value, part);
    if (Array.isArray(value) && Array.isArray(part)) return indicesOf(value, part);
    if (Array.isArray(value)) return value.flatMap((element, at) => (compare(element, part) === 0 ? [at] : []));
    throw new JqError(`Cannot determine indices of ${typeOf(part)} in ${typeOf(value)}`);
  },
  "flatten/0": (value) => flattened(list(value, "flattened"), Number.POSITIVE_INFINITY),
  "flatten/1"(value, depth) {
    if (number(depth) < 0) throw new JqError("flatten depth must not be negative");
    return flattened(list(value, "flattened"), number(depth));
  },
  "reverse/0"(value) {
    if (value === null) return [];
    checkLength(8 * (typeof value === "string" ? value : list(value, "reversed")).length);
    if (typeof value === "string") return [...value].reverse().join("");
    return chargeList([...list(value, "reversed")].reverse());
  },
  "_match/3": matchFunction,
  ...mathFunctions(),
  "_sort_by/1": (value, keys) =>
    ordered(list(value, "sorted, as it is not an array"), keys).map(({ element }) => element),
  "_group_by/1"(value, keys) {
    const groups: Json[][] = [];
    let latest: Json;
    for (const { element, key } of ordered(list(value, "grouped, as it is not an array"), keys)) {
      if (groups.length === 0 || compare(latest, key) !== 0) groups.push([element]);
      else groups.at(-1)?.push(element);
      latest = key;
    }
    return chargeList(groups);
  },
  "_by_extreme/2"(value, keys, greatest) {
    const elements = ordered(list(value, "iterated over"), keys);
    const last = elements.at(-1);
    if (last === undefined) return null;
    // Of equal elements, the last is the maximum and the first the minimum.
    return (greatest === true ? last : elements[0])?.element ?? null;
  },
  "_bsearch/1"(value, target) {
    const elements = list(value, "searched from");
    let [low, high] = [0, elements.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const difference = compare(elements[middle], target);
      if (difference === 0) return middle;
      if (difference < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1 - low;
  },
};

/** JavaScript's functions of one number, by their names in jq. */
function mathFunctions(): Record<string, Call> {
  const names =
    "acos acosh asin asinh atan atanh cbrt cos cosh exp expm1 log log10 log1p log2 sin sinh sqrt tan tanh".split(" ");
  return Object.fromEntries(
    names.map((name) => [
      `${name}/0`,
      (value: Json) => (Math[name as "sqrt"] as (given: number) => number)(number(value)),
    ]),
  );
}

/** Makes a rounding function. A bigint needs no rounding. */
function roundWith(round: (value: number) => number): Call {
  return (value) => (typeof value === "bigint" ? value : round(number(value)));
}

function absolute(value: number | bigint): number | bigint {
  return typeof value === "number" ? Math.abs(value) : value < 0 ? -value : value;
}

/** Converts to a double: the nearest one for a whole number beyond 2^53. */
function number(value: Json): number {
  if (isNumber(value)) return Number(value);
  throw new JqError(`${describeValue(value)} number required`);
}

function list(value: Json, purpose: string): readonly Json[] {
  if (Array.isArray(value)) return value;
  throw new JqError(`${describeValue(value)} cannot be ${purpose}`);
}

/** Rounds halves to the even number. */
function roundToEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

function bothTexts(value: Json, part: Json, name: string, test: (text: string, part: string) => boolean): boolean {
  if (typeof value === "string" && typeof part === "string") return test(value, part);
  throw new JqError(`${name}() requires string inputs`);
}

function trimmed(value: Json, trim: (text: string) => string): string {
  if (typeof value === "string") return trim(value);
  throw new JqError("trim input must be a string");
}

function contains(whole: Json, part: Json): boolean {
  tick();
  if (isObject(whole) && isObject(part)) {
    return Object.keys(part).every((key) => Object.hasOwn(whole, key) && contains(whole[key], part[key]));
  }
  if (Array.isArray(whole) && Array.isArray(part)) {
    return part.every((wanted) =>
      whole.some((element) => typeOf(element) === typeOf(wanted) && contains(element, wanted)),
    );
  }
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  if (typeOf(whole) === typeOf(part)) return compare(whole, part) === 0;
  throw new JqError(`${describeValue(whole)} and ${describeValue(part)} cannot have their containment checked`);
}

/** Lists where a part occurs in a text, in code points. */
function textIndices(text: string, part: string): Json {
  if (part === "") return null;
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) found.push(at);
  if (!surrogates.test(text)) return chargeList(found);
  let counted = 0;
  let points = 0;
  return chargeList(
    found.map((at) => {
      for (; counted < at; points++) counted += (text.codePointAt(counted) as number) > 0xffff ? 2 : 1;
      return points;
    }),
  );
}

function flattened(value: readonly Json[], depth: number): Json[] {
  const result: Json[] = [];
  const add = (elements: readonly Json[], left: number): void => {
    for (const element of elements) {
      tick();
      if (Array.isArray(element) && left > 0) add(element, left - 1);
      else result.push(element);
    }
    checkLength(8 * result.length);
  };
  add(value, depth);
  return chargeList(result);
}

function ordered(value: readonly Json[], keys: Json): readonly { readonly element: Json; readonly key: Json }[] {
  const sortKeys = Array.isArray(keys) ? keys : [];
  checkLength(8 * value.length);
  return chargeList(value.map((element, at) => ({ element, key: sortKeys[at] }))).sort((a, b) => compare(a.key, b.key));
}
