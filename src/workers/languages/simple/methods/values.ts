/** Methods of numbers, booleans, dates, bytes, lists and maps. */
import { narrow } from "../../../../shared/whole-numbers.ts";
import { coercedCompare, coercedEquals } from "../../../engine/compare.ts";
import { integerArgument as integer, methodTable, outOfBounds, textArgument as text } from "./method.ts";

/** Cuts a bigint to a number of bits, as in Java. */
const whole =
  (bits: number) =>
  (value: number | bigint): number | bigint =>
    typeof value === "number" ? Math.trunc(value) : narrow(BigInt.asIntN(bits, value));

export const numberMethods = methodTable<number | bigint>({
  intValue: [whole(32)],
  longValue: [whole(64)],
  doubleValue: [Number],
  floatValue: [Number],
  equals: [(value, args) => value === args[0], 1],
  compareTo: [(value, args) => Math.sign(coercedCompare(value, args[0])), 1],
});

export const booleanMethods = methodTable<boolean>({
  booleanValue: [(value) => value],
  equals: [(value, args) => value === args[0], 1],
});

export const dateMethods = methodTable<Date>({
  getTime: [(value) => value.getTime()],
  before: [(value, args) => coercedCompare(value, args[0]) < 0, 1],
  after: [(value, args) => coercedCompare(value, args[0]) > 0, 1],
  equals: [(value, args) => coercedEquals(value, args[0]), 1],
  compareTo: [(value, args) => Math.sign(coercedCompare(value, args[0])), 1],
});

export const bytesMethods = methodTable<Uint8Array>({
  length: [(value) => value.length],
  size: [(value) => value.length],
});

export const listMethods = methodTable<readonly unknown[]>({
  size: [(value) => value.length],
  length: [(value) => value.length],
  isEmpty: [(value) => value.length === 0],
  get: [(value, args) => elementAt(value, integer(args, 0)), 1],
  getFirst: [(value) => elementAt(value, 0)],
  getLast: [(value) => elementAt(value, value.length - 1)],
  contains: [(value, args) => value.some((element) => coercedEquals(element, args[0])), 1],
  indexOf: [(value, args) => value.findIndex((element) => coercedEquals(element, args[0])), 1],
  lastIndexOf: [(value, args) => value.findLastIndex((element) => coercedEquals(element, args[0])), 1],
  subList: [
    (value, args) => {
      const [from, to] = [integer(args, 0), integer(args, 1)];
      if (from < 0 || to < from || to > value.length) throw outOfBounds(`from ${from}, to ${to}, size ${value.length}`);
      return value.slice(from, to);
    },
    2,
  ],
  equals: [(value, args) => coercedEquals(value, args[0]), 1],
});

export const mapMethods = methodTable<Readonly<Record<string, unknown>>>({
  size: [(value) => Object.keys(value).length],
  isEmpty: [(value) => Object.keys(value).length === 0],
  get: [(value, args) => ownValue(value, text(args, 0)), 1],
  getOrDefault: [(value, args) => (Object.hasOwn(value, text(args, 0)) ? ownValue(value, text(args, 0)) : args[1]), 2],
  containsKey: [(value, args) => Object.hasOwn(value, text(args, 0)), 1],
  containsValue: [(value, args) => Object.values(value).some((element) => coercedEquals(element, args[0])), 1],
  keySet: [(value) => Object.keys(value)],
  values: [(value) => Object.values(value)],
  entrySet: [(value) => Object.entries(value).map(([key, entry]) => ({ key, value: entry }))],
  equals: [(value, args) => coercedEquals(value, args[0]), 1],
});

/** Reads a key of the object itself, never of its prototype; null when it has none. */
export function ownValue(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

export function elementAt(list: readonly unknown[], at: number): unknown {
  if (at >= 0 && at < list.length) return list[at] ?? null;
  throw outOfBounds(`Index: ${at}, Size: ${list.length}`);
}
