/** java.text.SimpleDateFormat in English. A pattern is compiled once. */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import type { Zone } from "./time-zone.ts";

/** Formats a time in epoch milliseconds. */
export type DateFormat = (time: number, zone: Zone) => string;

/** `local`: the time shifted by the zone's offset, to be read with the getUTC methods. */
type Part = (local: Date, time: number, zone: Zone) => string;

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const dayMs = 86_400_000;

/** Compiles a pattern. Throws ExpressionSyntaxError for an unknown pattern letter, or an unclosed quote. */
export function dateFormat(pattern: string, index: number): DateFormat {
  const parts = compile(pattern, index);
  return (time, zone) => {
    const local = new Date(time + zone.offset(time) * 60_000);
    let text = "";
    for (const part of parts) text += typeof part === "string" ? part : part(local, time, zone);
    return text;
  };
}

function compile(pattern: string, index: number): (string | Part)[] {
  const parts: (string | Part)[] = [];
  for (let at = 0; at < pattern.length; ) {
    const char = pattern[at] as string;
    let end = at + 1;
    if (char === "'") {
      end = pattern.indexOf("'", at + 1);
      if (end < 0) throw new ExpressionSyntaxError("the quoted part of the date's pattern has no end", index + at);
      // Two quotes are one, also inside a quoted part.
      let text = end === at + 1 ? "'" : pattern.slice(at + 1, end);
      while (end > at + 1 && pattern[end + 1] === "'") {
        const next = pattern.indexOf("'", end + 2);
        if (next < 0) throw new ExpressionSyntaxError("the quoted part of the date's pattern has no end", index + at);
        text += `'${pattern.slice(end + 2, next)}`;
        end = next;
      }
      parts.push(text);
      end += 1;
    } else if (/[A-Za-z]/.test(char)) {
      while (pattern[end] === char) end += 1;
      if (end - at > 32)
        throw new ExpressionSyntaxError("a letter of a date's pattern stands at most 32 times", index + at);
      const field = Object.hasOwn(fields, char) ? fields[char] : undefined;
      if (field === undefined) {
        throw new ExpressionSyntaxError(`Illegal pattern character '${char}': quote text with '...'`, index + at);
      }
      parts.push(field(end - at));
    } else parts.push(char);
    at = end;
  }
  return parts;
}

function digits(read: (local: Date) => number): (count: number) => Part {
  return (count) => (local) => String(read(local)).padStart(count, "0");
}

function year(read: (local: Date) => number): (count: number) => Part {
  return (count) => (local) =>
    count === 2 ? String(read(local) % 100).padStart(2, "0") : String(read(local)).padStart(count, "0");
}

function month(count: number): Part {
  if (count < 3) return (local) => String(local.getUTCMonth() + 1).padStart(count, "0");
  return (local) => (months[local.getUTCMonth()] as string).slice(0, count > 3 ? undefined : 3);
}

const fields: Readonly<Record<string, (count: number) => Part>> = {
  G: () => (local) => (local.getUTCFullYear() > 0 ? "AD" : "BC"),
  y: year((local) => local.getUTCFullYear()),
  Y: year((local) => weekOfYear(local).year),
  M: month,
  L: month,
  w: digits((local) => weekOfYear(local).week),
  W: digits((local) => Math.ceil((local.getUTCDate() + firstWeekday(local)) / 7)),
  D: digits(dayOfYear),
  d: digits((local) => local.getUTCDate()),
  F: digits((local) => Math.ceil(local.getUTCDate() / 7)),
  E: (count) => (local) => (days[local.getUTCDay()] as string).slice(0, count > 3 ? undefined : 3),
  u: digits((local) => local.getUTCDay() || 7),
  a: () => (local) => (local.getUTCHours() < 12 ? "AM" : "PM"),
  H: digits((local) => local.getUTCHours()),
  k: digits((local) => local.getUTCHours() || 24),
  K: digits((local) => local.getUTCHours() % 12),
  h: digits((local) => local.getUTCHours() % 12 || 12),
  m: digits((local) => local.getUTCMinutes()),
  s: digits((local) => local.getUTCSeconds()),
  S: digits((local) => local.getUTCMilliseconds()),
  z: (count) => (_, time, zone) => zone.name(time, count > 3),
  Z: () => (_, time, zone) => offsetText(zone.offset(time), ""),
  X: (count) => (_, time, zone) => {
    const minutes = zone.offset(time);
    if (minutes === 0) return "Z";
    return count === 1 ? offsetText(minutes, "").slice(0, 3) : offsetText(minutes, count === 2 ? "" : ":");
  },
};

function offsetText(minutes: number, separator: string): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (number: number) => String(number).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(hours)}${separator}${two(rest)}`;
}

function dayOfYear(local: Date): number {
  return Math.floor((local.getTime() - Date.UTC(local.getUTCFullYear(), 0, 1)) / dayMs) + 1;
}

/** Returns the weekday (Sunday 0) of the month's first day. */
function firstWeekday(local: Date): number {
  return (local.getUTCDay() - ((local.getUTCDate() - 1) % 7) + 7) % 7;
}

/** Returns Java's week for English: it begins on Sunday, and the first one contains 1 January. */
function weekOfYear(local: Date): { year: number; week: number } {
  const year = local.getUTCFullYear();
  const saturday = new Date(local.getTime() + (6 - local.getUTCDay()) * dayMs);
  if (saturday.getUTCFullYear() > year) return { year: year + 1, week: 1 };
  return { year, week: Math.ceil(dayOfYear(saturday) / 7) };
}
