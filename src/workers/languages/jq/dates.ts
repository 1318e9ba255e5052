/**
 * jq's dates: seconds since 1970, "broken down" lists `[year, month from 0, day, hours, minutes, seconds, weekday, day
 * of year]`, and texts. All in UTC.
 */
import { JqError, type Json } from "./values.ts";

type Call = (input: Json, ...parameters: Json[]) => Json;

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January February March April May June July August September October November December".split(" ");
const dayMs = 86_400_000;

export const dateFunctions: Readonly<Record<string, Call>> = {
  "now/0": () => Date.now() / 1000,
  "gmtime/0": (value) => brokenDown(seconds(value, "gmtime")),
  "localtime/0": (value) => brokenDown(seconds(value, "localtime")),
  "mktime/0": (value) => Math.floor(dateOf(value, "mktime").getTime() / 1000),
  "strftime/1": (value, format) =>
    written(typeof value === "number" ? new Date(value * 1000) : dateOf(value, "strftime/1"), format, "strftime/1"),
  "strflocaltime/1": (value, format) =>
    written(
      typeof value === "number" ? new Date(value * 1000) : dateOf(value, "strflocaltime/1"),
      format,
      "strflocaltime/1",
    ),
  "strptime/1": read,
};

function seconds(value: Json, name: string): number {
  if (typeof value === "number") return value;
  throw new JqError(`${name}() requires a number`);
}

function brokenDown(time: number): Json {
  const date = new Date(Math.floor(time) * 1000);
  if (Number.isNaN(date.getTime())) throw new JqError("error converting number of seconds since epoch to datetime");
  return [
    date.getUTCFullYear(),
    date.getUTCMonth(),
    date.getUTCDate(),
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds() + (time - Math.floor(time)),
    date.getUTCDay(),
    dayOfYear(date),
  ];
}

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs);
}

function dateOf(value: Json, name: string): Date {
  if (!Array.isArray(value)) throw new JqError(`${name} requires array of 6 numbers`);
  const [year, month, day, hours = 0, minutes = 0, secs = 0] = value as number[];
  if (value.length < 6 || value.some((part) => typeof part !== "number"))
    throw new JqError(`${name} requires parsed datetime inputs`);
  const date = new Date(0);
  date.setUTCFullYear(year ?? 0, month ?? 0, day ?? 1);
  date.setUTCHours(hours, minutes, Math.floor(secs), 0);
  if (Number.isNaN(date.getTime())) throw new JqError("invalid gmtime representation");
  return date;
}

const pad = (value: number, width = 2, fill = "0"): string => String(value).padStart(width, fill);

const writers: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => pad(date.getUTCFullYear() % 100),
  C: (date) => pad(Math.floor(date.getUTCFullYear() / 100)),
  m: (date) => pad(date.getUTCMonth() + 1),
  d: (date) => pad(date.getUTCDate()),
  e: (date) => pad(date.getUTCDate(), 2, " "),
  H: (date) => pad(date.getUTCHours()),
  I: (date) => pad(date.getUTCHours() % 12 || 12),
  M: (date) => pad(date.getUTCMinutes()),
  S: (date) => pad(date.getUTCSeconds()),
  p: (date) => (date.getUTCHours() < 12 ? "AM" : "PM"),
  Z: () => "UTC",
  z: () => "+0000",
  a: (date) => (days[date.getUTCDay()] as string).slice(0, 3),
  A: (date) => days[date.getUTCDay()] as string,
  b: (date) => (months[date.getUTCMonth()] as string).slice(0, 3),
  h: (date) => (months[date.getUTCMonth()] as string).slice(0, 3),
  B: (date) => months[date.getUTCMonth()] as string,
  j: (date) => pad(dayOfYear(date) + 1, 3),
  u: (date) => String(date.getUTCDay() || 7),
  w: (date) => String(date.getUTCDay()),
  s: (date) => String(Math.floor(date.getTime() / 1000)),
  n: () => "\n",
  t: () => "\t",
  "%": () => "%",
};

/** Formats that abbreviate others. */
const shorthands: Readonly<Record<string, string>> = {
  T: "%H:%M:%S",
  R: "%H:%M",
  D: "%m/%d/%y",
  F: "%Y-%m-%d",
  c: "%a %b %e %H:%M:%S %Y",
  r: "%I:%M:%S %p",
  x: "%m/%d/%y",
  X: "%H:%M:%S",
};

function expanded(format: Json, name: string): string {
  if (typeof format !== "string") throw new JqError(`${name} requires a string format`);
  return format.slice(0, 1000).replaceAll(/%(.)/gs, (directive, letter: string) => shorthands[letter] ?? directive);
}

function written(date: Date, format: Json, name: string): string {
  return expanded(format, name).replaceAll(/%(.)/gs, (directive, letter: string) => {
    if (!Object.hasOwn(writers, letter)) throw new JqError(`${name}: unknown directive ${directive}`);
    return (writers[letter] as (date: Date) => string)(date);
  });
}

interface Parts {
  year: number;
  month: number;
  day: number;
  hours: number;
  minutes: number;
  seconds: number;
  afternoon: boolean | undefined;
  /** Seconds since 1970, if the format has them as one number (`%s`). */
  epoch: number | undefined;
}

type Reader = readonly [pattern: RegExp, take: (text: string) => Partial<Parts>];

const digits = (most: number): RegExp => new RegExp(`\\s*\\d{1,${most}}`, "y");
const name = (list: readonly string[]): RegExp =>
  new RegExp(list.flatMap((one) => [one, one.slice(0, 3)]).join("|"), "iy");
const monthNamed = (text: string): number =>
  months.findIndex((month) => month.slice(0, 3).toLowerCase() === text.slice(0, 3).toLowerCase());

const readers: Readonly<Record<string, Reader>> = {
  Y: [/-?\d{1,4}/y, (text) => ({ year: Number(text) })],
  y: [digits(2), (text) => ({ year: Number(text) + (Number(text) < 69 ? 2000 : 1900) })],
  m: [digits(2), (text) => ({ month: Number(text) - 1 })],
  d: [digits(2), (text) => ({ day: Number(text) })],
  e: [digits(2), (text) => ({ day: Number(text) })],
  H: [digits(2), (text) => ({ hours: Number(text) })],
  I: [digits(2), (text) => ({ hours: Number(text) })],
  M: [digits(2), (text) => ({ minutes: Number(text) })],
  S: [digits(2), (text) => ({ seconds: Number(text) })],
  j: [digits(3), (text) => ({ month: 0, day: Number(text) })],
  p: [/[ap]m/iy, (text) => ({ afternoon: /^p/i.test(text) })],
  a: [name(days), () => ({})],
  A: [name(days), () => ({})],
  b: [name(months), (text) => ({ month: monthNamed(text) })],
  h: [name(months), (text) => ({ month: monthNamed(text) })],
  B: [name(months), (text) => ({ month: monthNamed(text) })],
  Z: [/[A-Za-z]{1,10}/y, () => ({})],
  z: [/Z|[+-]\d\d:?\d\d/y, () => ({})],
  s: [/-?\d{1,15}/y, (text) => ({ epoch: Number(text) })],
  u: [/[1-7]/y, () => ({})],
  w: [/[0-6]/y, () => ({})],
  n: [/\s+/y, () => ({})],
  t: [/\s+/y, () => ({})],
  "%": [/%/y, () => ({})],
};

function read(value: Json, format: Json): Json {
  if (typeof value !== "string") throw new JqError(`strptime/1 requires string inputs and arguments`);
  const parts: Parts = {
    year: 1900,
    month: 0,
    day: 1,
    hours: 0,
    minutes: 0,
    seconds: 0,
    afternoon: undefined,
    epoch: undefined,
  };
  const pattern = expanded(format, "strptime/1");
  const fail = (): JqError =>
    new JqError(`date "${value.slice(0, 100)}" does not match format "${String(format).slice(0, 100)}"`);
  let at = 0;
  for (const [piece, letter] of pattern.matchAll(/%(.)|\s+|[^%\s]/gs)) {
    if (letter === undefined) {
      if (/^\s/.test(piece)) while (/\s/.test(value[at] ?? "")) at += 1;
      else if (value[at] === piece) at += 1;
      else throw fail();
      continue;
    }
    if (!Object.hasOwn(readers, letter)) throw new JqError(`strptime/1: unknown directive ${piece}`);
    const [expected, take] = readers[letter] as Reader;
    expected.lastIndex = at;
    const [found] = expected.exec(value) ?? [];
    if (found === undefined) throw fail();
    Object.assign(parts, take(found.trim()));
    at += found.length;
  }
  if (at < value.length) throw fail();
  if (parts.epoch !== undefined) return brokenDown(parts.epoch);
  const hours = parts.afternoon === undefined ? parts.hours : (parts.hours % 12) + (parts.afternoon ? 12 : 0);
  const { year, month, day, minutes, seconds: secs } = parts;
  if (month > 11 || day > 366 || hours > 24 || minutes > 59 || secs > 61) throw fail();
  return brokenDown(dateOf([year, month, day, hours, minutes, secs], "strptime/1").getTime() / 1000);
}
