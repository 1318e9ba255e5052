/** Functions on text. Without an argument they read the body; null yields null. */
import { coercedContains } from "../../../engine/compare.ts";
import { isPlainObject } from "../../../engine/convert.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { normalizeWhitespace, trim } from "../../../engine/java-space.ts";
import { type Argument, argumentsOf, evalOf, literalOf, requiredIntegerOf } from "../arguments.ts";
import {
  bodyOf,
  bounded,
  type Call,
  type Eval,
  type FunctionTable,
  maxBytes,
  type SimpleFunction,
  simpleText,
} from "../eval.ts";
import { followPath } from "../ognl.ts";
import { repeat, replaceText } from "../text-building.ts";

/** `name(exp)`: converts a text. */
function ofText(work: (text: string, max: number) => unknown): SimpleFunction {
  return (call) => {
    const { list, path, pathIndex } = argumentsOf(call, `${call.name}(exp)`, 0, 1);
    const value = evalOf(call, list[0]);
    return followPath(
      (exchange, body) => {
        const read = value(exchange, body) ?? null;
        return read === null ? null : work(simpleText(read, exchange), maxBytes(exchange));
      },
      path,
      pathIndex,
      call,
    );
  };
}

/** `name(fixed)` or `name(exp,fixed)`. Spaces in the arguments are significant. */
function withPart(usage: string, work: (text: string, part: string) => unknown): SimpleFunction {
  return (call) => {
    const { list, path, pathIndex } = argumentsOf(call, usage, 1, 2, true);
    const value = list.length === 2 ? evalOf(call, trimmed(list[0])) : bodyOf;
    const part = evalOf(call, list.at(-1));
    return followPath(
      (exchange, body) => {
        const text = value(exchange, body) ?? null;
        return text === null ? null : work(simpleText(text, exchange), simpleText(part(exchange, body), exchange));
      },
      path,
      pathIndex,
      call,
    );
  };
}

function trimmed(argument: Argument | undefined): Argument | undefined {
  if (argument === undefined || argument.quoted) return argument;
  return { ...argument, text: argument.text.trim() };
}

export const textFunctions: FunctionTable = {
  trim: ofText(trim),
  uppercase: ofText((text) => text.toUpperCase()),
  lowercase: ofText((text) => text.toLowerCase()),
  capitalize: ofText((text) => text.replace(/^.|(?<=. )./gs, capital)),
  normalizeWhitespace: ofText(normalizeWhitespace),
  length: (call) => {
    const value = evalOf(call, argumentsOf(call, "length(exp)", 0, 1).list[0]);
    return (exchange, body) => lengthOf(value(exchange, body), exchange);
  },
  quote: ofText((text, max) => (isQuoted(text, '"') ? text : bounded(`"${bare(text)}"`, max))),
  unquote: ofText(bare),
  substringBefore: withPart("substringBefore(text)} or ${substringBefore(exp,text)", (text, part) => {
    const at = text.indexOf(part);
    return at < 0 ? null : text.slice(0, at);
  }),
  substringAfter: withPart("substringAfter(text)} or ${substringAfter(exp,text)", (text, part) => {
    const at = text.indexOf(part);
    return at < 0 ? null : text.slice(at + part.length);
  }),
  contains,
  substringBetween,
  substring,
  replace,
  concat,
  pad,
};

/** As Character.toUpperCase: a letter whose capital has two letters stays. */
function capital(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length ? upper : letter;
}

/** Of what is text or bytes, its bytes in UTF-8; of lists, maps and numbers, the characters that they render as. */
function lengthOf(value: unknown, exchange: Exchange): number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value.length;
  const text = simpleText(value, exchange);
  return Array.isArray(value) || isPlainObject(value) ? text.length : Buffer.byteLength(text);
}

function isQuoted(text: string, quote: string): boolean {
  return text.length >= 2 && text.startsWith(quote) && text.endsWith(quote);
}

/** Blanks around the quotes go with them. */
function bare(text: string): string {
  const copy = trim(text);
  return isQuoted(copy, '"') || isQuoted(copy, "'") ? copy.slice(1, -1) : text;
}

/** The function form of the operator `~~`. */
function contains(call: Call): Eval {
  const { list } = argumentsOf(call, "contains(text)} or ${contains(exp,text)", 1, 2, true);
  const value = list.length === 2 ? evalOf(call, trimmed(list[0])) : bodyOf;
  const part = evalOf(call, list.at(-1));
  return (exchange, body) => coercedContains(value(exchange, body), part(exchange, body), true);
}

function substringBetween(call: Call): Eval {
  const { list } = argumentsOf(
    call,
    "substringBetween(after,before)} or ${substringBetween(exp,after,before)",
    2,
    3,
    true,
  );
  const value = list.length === 3 ? evalOf(call, trimmed(list[0])) : bodyOf;
  const after = evalOf(call, list.at(-2));
  const before = evalOf(call, list.at(-1));
  return (exchange, body) => {
    const read = value(exchange, body) ?? null;
    if (read === null) return null;
    const text = simpleText(read, exchange);
    const start = simpleText(after(exchange, body), exchange);
    const from = text.indexOf(start);
    const to = from < 0 ? -1 : text.indexOf(simpleText(before(exchange, body), exchange), from + start.length);
    return to < 0 ? null : text.slice(from + start.length, to);
  };
}

/** As in Camel: drops `head` characters from the start and `tail` from the end; a negative number alone is a tail. */
function substring(call: Call): Eval {
  const { list, path, pathIndex } = argumentsOf(call, "substring(head)} or ${substring(head,tail,exp)", 1, 3);
  const head = requiredIntegerOf(call, list[0] as Argument);
  const tail = list[1] === undefined ? () => 0 : requiredIntegerOf(call, list[1]);
  const value = evalOf(call, list[2]);
  return followPath(
    (exchange, body) => {
      const read = value(exchange, body) ?? null;
      if (read === null) return null;
      const text = simpleText(read, exchange);
      const first = head(exchange, body);
      const last = tail(exchange, body);
      const onlyTail = first < 0 && last === 0;
      const from = onlyTail ? 0 : Math.abs(first);
      const to = text.length - Math.abs(onlyTail ? first : last);
      return to > from ? text.slice(from, to) : "";
    },
    path,
    pathIndex,
    call,
  );
}

const entities: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&", empty: "" };

function replace(call: Call): Eval {
  const usage = "replace(from,to)} or ${replace(from,to,exp)";
  const { list, path, pathIndex } = argumentsOf(call, usage, 2, 3, true);
  const decoded = (argument: Argument): string =>
    literalOf(call, argument, "from and to").replace(
      /&(quot|apos|lt|gt|amp|empty);/g,
      (_, name: string) => entities[name] ?? "",
    );
  const from = decoded(list[0] as Argument);
  const to = decoded(list[1] as Argument);
  const value = evalOf(call, trimmed(list[2]));
  return followPath(
    (exchange, body) => {
      const read = value(exchange, body) ?? null;
      return read === null ? null : replaceText(simpleText(read, exchange), from, to, maxBytes(exchange));
    },
    path,
    pathIndex,
    call,
  );
}

/** A null side is left out together with the separator. */
function concat(call: Call): Eval {
  const { list, path, pathIndex } = argumentsOf(call, "concat(exp)} or ${concat(exp,exp,separator)", 1, 3);
  const left = list.length === 1 ? bodyOf : evalOf(call, list[0]);
  const right = evalOf(call, list.length === 1 ? list[0] : list[1]);
  const separator = list[2] === undefined ? "" : literalOf(call, list[2], "the separator");
  return followPath(
    (exchange, body) => {
      const first = left(exchange, body) ?? null;
      const second = right(exchange, body) ?? null;
      if (first === null) return second === null ? null : simpleText(second, exchange);
      if (second === null) return simpleText(first, exchange);
      return bounded(simpleText(first, exchange) + separator + simpleText(second, exchange), maxBytes(exchange));
    },
    path,
    pathIndex,
    call,
  );
}

/** A positive width pads on the right, a negative one on the left. */
function pad(call: Call): Eval {
  const { list, path, pathIndex } = argumentsOf(call, "pad(exp,width)} or ${pad(exp,width,separator)", 2, 3);
  const value = evalOf(call, list[0]);
  const width = requiredIntegerOf(call, list[1] as Argument);
  const separator = list[2] === undefined || list[2].text === "" ? " " : literalOf(call, list[2], "the separator");
  return followPath(
    (exchange, body) => {
      const read = value(exchange, body) ?? null;
      if (read === null) return null;
      const text = simpleText(read, exchange);
      const wanted = width(exchange, body);
      const missing = Math.abs(wanted) - text.length;
      if (missing <= 0) return text;
      const max = maxBytes(exchange);
      // A separator is never cut: one of several characters may make the text longer than the width.
      const padding = repeat(separator, Math.ceil(missing / separator.length), max);
      return bounded(wanted > 0 ? text + padding : padding + text, max);
    },
    path,
    pathIndex,
    call,
  );
}
