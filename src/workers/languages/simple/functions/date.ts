/** `date:command[offset][:pattern]` and `date-with-timezone:command:zone:pattern` (Camel: DateFunctionFactory). */
import { parseDuration } from "../../../../shared/duration.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { hasFunction } from "../arguments.ts";
import { type DateFormat, dateFormat } from "../date-format.ts";
import { type Call, type Eval, type FunctionTable, simpleText } from "../eval.ts";
import { skipFunction } from "../scan.ts";
import { localZone, type Zone, zoneOf } from "../time-zone.ts";
import { lookups } from "./message.ts";

export const dateFunctions: FunctionTable = {
  date: (call) => {
    const [command, written] = colonParts(call, 2);
    const pattern = written?.text === "" ? undefined : written;
    if (pattern === undefined && command?.text === "millis") return () => Date.now();
    const time = timeOf(command, call);
    return pattern === undefined
      ? (exchange) => new Date(time(exchange))
      : compileFormat(time, () => localZone, pattern, call);
  },
  "date-with-timezone": (call) => {
    const [command, zone, pattern] = colonParts(call, 3);
    if (zone === undefined || pattern === undefined) {
      throw new ExpressionSyntaxError("write ${date-with-timezone:command:zone:pattern}", call.index);
    }
    return compileFormat(timeOf(command, call), applyToPart(zone, call, zoneOf), pattern, call);
  },
};

interface TextPart {
  readonly text: string;
  readonly index: number;
}

/** Splits at colons; the last part keeps its colons. */
function colonParts(call: Call, most: number): TextPart[] {
  const { rest, index } = call;
  if (!rest.startsWith(":")) throw new ExpressionSyntaxError(`write \${${call.name}:now:yyyy-MM-dd}`, index);
  const parts: TextPart[] = [];
  let from = 1;
  for (let at = 1; at < rest.length && parts.length < most - 1; at++) {
    at = skipFunction(rest, at);
    if (rest[at] !== ":") continue;
    parts.push({ text: rest.slice(from, at), index: index + from });
    from = at + 1;
  }
  parts.push({ text: rest.slice(from), index: index + from });
  return parts;
}

const offsetText = /^(.*?)((?:\s*[+-]\s*\d[\dA-Za-z.]*)*)$/s;
const oneOffset = /([+-])\s*(\d[\dA-Za-z.]*)/g;

/** Returns the time that a command names, in epoch milliseconds. */
function timeOf(part: TextPart | undefined, call: Call): (exchange: Exchange) => number {
  const text = part?.text.trim() ?? "";
  const index = part?.index ?? call.index;
  // The offsets are at the end. The text before them is short, so the lazy match is cheap.
  if (text.length > 256) throw new ExpressionSyntaxError("a date's command has at most 256 characters", index);
  const [, command = "", offsets = ""] = offsetText.exec(text) ?? [];
  let offset = 0;
  for (const [, sign, amount] of offsets.matchAll(oneOffset)) {
    const ms = parseDuration(amount as string);
    if (ms === undefined)
      throw new ExpressionSyntaxError(`'${sign}${amount}' is no time: write 1h30m, 10s or 500`, index);
    offset += sign === "-" ? -ms : ms;
  }
  const read = command.trim();
  if (read === "now" || read === "millis") return () => Date.now() + offset;
  if (read === "exchangeCreated") return (exchange) => exchange.created + offset;
  const named = /^(?:in\.)?(header|exchangeProperty|property|variable)\.(.+)$/s.exec(read);
  if (named === null || hasFunction(read)) {
    const advice =
      read === "file" ? "" : ": write now, millis, exchangeCreated, header.x, variable.x or exchangeProperty.x";
    throw new ExpressionSyntaxError(`Command not supported for dateExpression: ${read}${advice}`, index);
  }
  const lookup = named[1] === "header" ? lookups.header : named[1] === "variable" ? lookups.variable : lookups.property;
  const name = named[2] as string;
  return (exchange) => {
    const time = epoch(lookup(exchange, name));
    if (time !== undefined) return time + offset;
    throw new FlowException("java.lang.IllegalArgumentException", `Cannot find Date/long object at command: ${read}`);
  };
}

const isoDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Reads a date, a number of milliseconds, or a text in ISO 8601, the form of dates in JSON. */
function epoch(value: unknown): number | undefined {
  if (typeof value === "number") return Math.abs(value) <= 8.64e15 ? value : undefined;
  const time =
    value instanceof Date
      ? value.getTime()
      : typeof value === "string" && isoDate.test(value)
        ? Date.parse(value)
        : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function compileFormat(
  time: (exchange: Exchange) => number,
  zone: (exchange: Exchange, body: unknown) => Zone,
  pattern: TextPart,
  call: Call,
): Eval {
  const format: (exchange: Exchange, body: unknown) => DateFormat = applyToPart(pattern, call, dateFormat);
  return (exchange, body) => format(exchange, body)(time(exchange), zone(exchange, body));
}

/** Applies `make` to a part: once when it is fixed, else to its text at run time whenever the text changes. */
function applyToPart<T>(
  part: TextPart,
  call: Call,
  make: (text: string, index: number) => T,
): (exchange: Exchange, body: unknown) => T {
  if (!hasFunction(part.text)) {
    const made = make(part.text, part.index);
    return () => made;
  }
  const read = call.scope.expression(part.text, part.index);
  let last: { text: string; made: T } | undefined;
  return (exchange, body) => {
    const text = simpleText(read(exchange, body), exchange);
    if (last?.text === text) return last.made;
    try {
      last = { text, made: make(text, 0) };
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      throw new FlowException("java.lang.IllegalArgumentException", error.message);
    }
    return last.made;
  };
}
