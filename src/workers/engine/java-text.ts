/** Lists, maps and dates as Java prints them (AbstractCollection, AbstractMap and Date: `toString`). */
import { FlowException } from "./exception.ts";
import { LazyList } from "./lazy-list.ts";
import { TextBuilder } from "./text-builder.ts";
import { textTooLong } from "./write-json.ts";

/** The greatest depth of a value that is printed. */
const maxDepth = 1000;

/** Prints a value that is neither a list nor a map; also null. */
type Scalar = (value: unknown, max: number) => string;

class Writer extends TextBuilder {
  readonly max: number;
  readonly scalar: Scalar;

  constructor(max: number, scalar: Scalar) {
    super(max, textTooLong);
    this.max = max;
    this.scalar = scalar;
  }
}

/**
 * Prints a list or a set as `[a, b]`, a map or an object as `{a=1, b=2}`. Throws LimitExceededException as soon as the
 * text is longer than `max`: a small value may contain the same list a million times.
 */
export function containerText(value: object, max: number, scalar: Scalar): string {
  const writer = new Writer(max, scalar);
  write(writer, value, 0);
  return writer.text;
}

function write(writer: Writer, value: unknown, depth: number): void {
  if (Array.isArray(value)) writeList(writer, value, depth);
  else if (typeof value !== "object" || value === null) writer.append(writer.scalar(value, writer.max));
  else if (value instanceof Set) writeList(writer, value, depth);
  else if (value instanceof LazyList) writeList(writer, value.toArray(writer.max), depth);
  else if (value instanceof Map) writeMap(writer, value, depth);
  else if (isPlain(value)) writeMap(writer, Object.entries(value), depth);
  else writer.append(writer.scalar(value, writer.max));
}

function writeList(writer: Writer, list: Iterable<unknown>, depth: number): void {
  checkDepth(depth);
  writer.append("[");
  let separator = "";
  for (const element of list) {
    if (separator !== "") writer.append(separator);
    write(writer, element, depth + 1);
    separator = ", ";
  }
  writer.append("]");
}

function writeMap(writer: Writer, entries: Iterable<readonly [unknown, unknown]>, depth: number): void {
  checkDepth(depth);
  writer.append("{");
  let separator = "";
  for (const [key, element] of entries) {
    writer.append(`${separator}${key}=`);
    write(writer, element, depth + 1);
    separator = ", ";
  }
  writer.append("}");
}

function checkDepth(depth: number): void {
  if (depth < maxDepth) return;
  throw new FlowException("LimitExceededException", `a value written as text nests at most ${maxDepth} deep`);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Thu Jan 01 00:00:00 UTC 1970`, in the time zone of the machine. */
export function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "Invalid Date";
  const two = (number: number) => String(number).padStart(2, "0");
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  const day = `${days[date.getDay()]} ${months[date.getMonth()]} ${two(date.getDate())}`;
  return `${day} ${clock} ${zoneName(date)} ${date.getFullYear()}`;
}

let zone: Intl.DateTimeFormat | undefined;
/** Within a quarter of an hour the zone has one name. To format it takes longer than all other work for a header. */
const quarterMs = 15 * 60_000;
let last = { quarter: Number.NaN, name: "" };

function zoneName(date: Date): string {
  const quarter = Math.floor(date.getTime() / quarterMs);
  if (last.quarter !== quarter) {
    zone ??= new Intl.DateTimeFormat("en-US", { timeZoneName: "short" });
    const name = zone.formatToParts(date).find((part) => part.type === "timeZoneName")?.value ?? "";
    last = { quarter, name };
  }
  return last.name;
}
