/** The methods of java.lang.String that flows call. */
import { coercedCompare } from "../../../engine/compare.ts";
import { isBlank, stripLeading, stripTrailing, trim } from "../../../engine/java-space.ts";
import { regexCache } from "../../../engine/regex.ts";
import { bounded, checkCount } from "../eval.ts";
import { repeat, replaceText, splitter } from "../text-building.ts";
import { integerArgument as integer, methodTable, outOfBounds, textArgument as text } from "./method.ts";

const regex = regexCache();

export const textMethods = methodTable<string>({
  length: [(value) => value.length],
  size: [(value) => value.length],
  isEmpty: [(value) => value === ""],
  isBlank: [isBlank],
  toUpperCase: [(value) => value.toUpperCase()],
  toLowerCase: [(value) => value.toLowerCase()],
  trim: [trim],
  strip: [(value) => stripLeading(stripTrailing(value))],
  stripLeading: [stripLeading],
  stripTrailing: [stripTrailing],
  equals: [(value, args) => value === args[0], 1],
  equalsIgnoreCase: [(value, args) => value.toLowerCase() === text(args, 0).toLowerCase(), 1],
  compareTo: [(value, args) => coercedCompare(value, text(args, 0)), 1],
  contains: [(value, args) => value.includes(text(args, 0)), 1],
  startsWith: [(value, args) => value.startsWith(text(args, 0), args.length > 1 ? integer(args, 1) : 0), 1, 2],
  endsWith: [(value, args) => value.endsWith(text(args, 0)), 1],
  indexOf: [(value, args) => value.indexOf(text(args, 0), args.length > 1 ? integer(args, 1) : 0), 1, 2],
  lastIndexOf: [(value, args) => value.lastIndexOf(text(args, 0)), 1],
  charAt: [(value, args) => value.slice(...range(value, integer(args, 0), integer(args, 0) + 1)), 1],
  substring: [
    (value, args) => value.slice(...range(value, integer(args, 0), args.length > 1 ? integer(args, 1) : value.length)),
    1,
    2,
  ],
  concat: [(value, args, max) => bounded(value + text(args, 0), max), 1],
  repeat: [(value, args, max) => repeat(value, integer(args, 0), max), 1],
  replace: [(value, args, max) => replaceText(value, text(args, 0), text(args, 1), max), 2],
  replaceAll: [(value, args, max) => regex(text(args, 0)).replaceAll(value, text(args, 1), max), 2],
  replaceFirst: [(value, args, max) => regex(text(args, 0)).replaceFirst(value, text(args, 1), max), 2],
  matches: [(value, args) => regex(text(args, 0)).matches(value), 1],
  split: [
    (value, args, max) => {
      const limit = args.length > 1 ? integer(args, 1) : 0;
      if (limit === 0) return splitter(text(args, 0), regex)(value, max);
      // Makes one part more than allowed, so that an excess is noticed without making all parts.
      const most = Math.floor(max / 8) + 1;
      const parts = regex(text(args, 0)).split(value, limit > 0 ? Math.min(limit, most) : most);
      checkCount(parts.length, max);
      return parts;
    },
    1,
    2,
  ],
  getBytes: [(value) => new TextEncoder().encode(value), 0, 1],
});

function range(value: string, from: number, to: number): [from: number, to: number] {
  if (from >= 0 && from <= to && to <= value.length) return [from, to];
  throw outOfBounds(`begin ${from}, end ${to}, length ${value.length}`);
}
