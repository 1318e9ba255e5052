/** Functions that make lists and maps, or process all their elements. */

import { coercedCompare } from "../../../engine/compare.ts";
import { asElement, asValue, isPlainObject } from "../../../engine/convert.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { JsonNode } from "../../../engine/json-node.ts";
import { type Argument, argumentsOf, evalOf, literalOf, requiredIntegerOf } from "../arguments.ts";
import {
  bodyOf,
  bounded,
  type Call,
  checkCount,
  type Eval,
  type FunctionTable,
  Growth,
  maxBytes,
  type SimpleFunction,
  simpleText,
} from "../eval.ts";
import { splitter } from "../text-building.ts";

export const collectionFunctions: FunctionTable = {
  list: (call) => {
    const { list } = argumentsOf(call, "list(exp,exp,...)", 0, any);
    const values = list.map((argument) => evalOf(call, argument));
    return (exchange, body) => {
      const growth = new Growth(maxBytes(exchange));
      return values.map((value) => growth.add(asElement(value(exchange, body))));
    };
  },
  map,
  distinct: ofElements((elements) => [...new Set(elements)]),
  reverse: ofElements((elements) => elements.toReversed()),
  shuffle: ofElements(shuffled),
  sort,
  split: (call) => {
    const { list } = argumentsOf(call, "split(separator)} or ${split(exp,separator)", 0, 2);
    const value = list.length === 2 ? evalOf(call, list[0]) : bodyOf;
    const separator = list.at(-1);
    const split = splitter(separator === undefined ? "," : literalOf(call, separator, "the separator"));
    return (exchange, body) => {
      const text = value(exchange, body) ?? null;
      return text === null ? null : split(simpleText(text, exchange), maxBytes(exchange));
    };
  },
  join,
  size: (call) => {
    const value = evalOf(call, argumentsOf(call, "size(exp)", 0, 1).list[0]);
    return (exchange, body) => sizeOf(value(exchange, body));
  },
  skip: (call) => {
    const { list } = argumentsOf(call, "skip(number)} or ${skip(exp,number)", 1, 2);
    const value = list.length === 2 ? evalOf(call, list[0]) : bodyOf;
    const count = requiredIntegerOf(call, list.at(-1) as Argument);
    return (exchange, body) => {
      const skipped = count(exchange, body);
      if (skipped >= 0) return elementsOf(value(exchange, body), maxBytes(exchange)).slice(skipped);
      throw new FlowException("java.lang.IllegalArgumentException", `skip needs a number from 0, not ${skipped}`);
    };
  },
  collate,
};

const byComma = splitter(",");

/**
 * Returns the elements of a list, the entries of a map, or the parts of a text between commas; any other value as one
 * element; nothing for null and blank text (Camel: ObjectHelper.createIterable).
 */
export function elementsOf(value: unknown, max: number): readonly unknown[] {
  if (value instanceof JsonNode) return value.parts();
  const inner = asValue(value);
  if (inner === null) return [];
  if (Array.isArray(inner)) return inner;
  if (inner instanceof Set) return [...inner];
  if (isPlainObject(inner)) return Object.entries(inner).map(([key, entry]) => ({ key, value: entry }));
  if (typeof inner !== "string") return [inner];
  if (inner.trim() === "") return [];
  return inner.includes(",") ? byComma(inner, max) : [inner];
}

/** Applies `work` to the elements of all arguments in one list. */
function ofElements(work: (elements: readonly unknown[]) => readonly unknown[]): SimpleFunction {
  return (call) => {
    const { list } = argumentsOf(call, `${call.name}(exp,...)`, 0, any);
    const values = list.length === 0 ? [bodyOf] : list.map((argument) => evalOf(call, argument));
    return (exchange, body) => {
      const max = maxBytes(exchange);
      let elements: readonly unknown[] = [];
      for (const value of values) {
        const more = elementsOf(value(exchange, body), max);
        checkCount(elements.length + more.length, max);
        elements = elements.length === 0 ? more : [...elements, ...more];
      }
      return work(elements);
    };
  };
}

function shuffled(elements: readonly unknown[]): readonly unknown[] {
  const result = [...elements];
  for (let i = result.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1));
    [result[i], result[j]] = [result[j], result[i]];
  }
  return result;
}

/** `sort()`, `sort(true)` for the reverse, `sort(exp,true)`. Camel sorts the body for any other argument that stands alone. */
function sort(call: Call): Eval {
  const { list } = argumentsOf(call, "sort(reverse)} or ${sort(exp,reverse)", 0, 2);
  const last = list.at(-1)?.text.toLowerCase();
  const hasFlag = last === "true" || last === "false";
  if (list.length === 2 && !hasFlag) throw new ExpressionSyntaxError("reverse is true or false", call.index);
  if (list.length === 1 && !hasFlag && list[0]?.text !== "${body}") {
    const message = `sort(${list[0]?.text}) sorts the body in Camel: write sort(${list[0]?.text},false) for this list`;
    throw new ExpressionSyntaxError(message, call.index);
  }
  const value = evalOf(call, list.length === 2 ? list[0] : undefined);
  return (exchange, body) => {
    const sorted = elementsOf(value(exchange, body), maxBytes(exchange)).toSorted(naturalOrder);
    return last === "true" ? sorted.toReversed() : sorted;
  };
}

/** Compares texts as texts; the operators of simple would compare digits as numbers. */
function naturalOrder(a: unknown, b: unknown): number {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  return coercedCompare(a, b);
}

/** Camel's order: `join(separator,prefix,exp)`. */
function join(call: Call): Eval {
  const { list } = argumentsOf(call, "join(separator,prefix,exp)", 0, 3);
  const separator = list[0] === undefined ? "," : literalOf(call, list[0], "the separator");
  const prefix = list[1] === undefined ? "" : literalOf(call, list[1], "the prefix");
  const value = evalOf(call, list[2]);
  return (exchange, body) => {
    const max = maxBytes(exchange);
    const elements = elementsOf(value(exchange, body), max).filter((element) => (element ?? null) !== null);
    let text = "";
    elements.forEach((element, at) => {
      text = bounded(`${text}${at === 0 ? "" : separator}${prefix}${simpleText(element, exchange)}`, max);
    });
    return text;
  };
}

function collate(call: Call): Eval {
  const { list } = argumentsOf(call, "collate(number)} or ${collate(exp,number)", 1, 2);
  const value = list.length === 2 ? evalOf(call, list[0]) : bodyOf;
  const group = requiredIntegerOf(call, list.at(-1) as Argument);
  return (exchange, body) => {
    const size = group(exchange, body);
    if (size < 1) throw new FlowException("java.lang.IllegalArgumentException", "collate needs a number above 0");
    const elements = elementsOf(value(exchange, body), maxBytes(exchange));
    return Array.from({ length: Math.ceil(elements.length / size) }, (_, at) =>
      elements.slice(at * size, (at + 1) * size),
    );
  };
}

function sizeOf(value: unknown): number {
  const inner = asValue(value);
  if (inner === null) return 0;
  if (Array.isArray(inner) || inner instanceof Uint8Array) return inner.length;
  return isPlainObject(inner) ? Object.keys(inner).length : 1;
}

function map(call: Call): Eval {
  const { list } = argumentsOf(call, "map(key,value,...)", 0, any);
  if (list.length % 2 === 1) {
    throw new ExpressionSyntaxError(
      `Map function must have an even number of values, was: ${list.length} values.`,
      call.index,
    );
  }
  const values = list.map((argument) => evalOf(call, argument));
  return (exchange, body) => {
    const entries: [string, unknown][] = [];
    const growth = new Growth(maxBytes(exchange));
    for (let at = 0; at < values.length; at += 2) {
      const key = growth.add(simpleText((values[at] as Eval)(exchange, body), exchange));
      entries.push([key, growth.add(asElement((values[at + 1] as Eval)(exchange, body)))]);
    }
    return Object.fromEntries(entries);
  };
}

/** `forEach` and `filter`, whose function gets each element as the body. */
export const eachFunctions: FunctionTable = {
  forEach: (call) =>
    compileEach(call, (call, argument) => {
      const work = evalOf(call, argument);
      return (elements, apart, max) => {
        const growth = new Growth(max);
        return elements.map((element) => growth.add(work(apart(), element))).filter((out) => (out ?? null) !== null);
      };
    }),
  filter: (call) =>
    compileEach(call, (call, argument) => {
      const test = call.scope.predicate(argument.text, argument.index);
      return (elements, apart) => elements.filter((element) => test(apart(), element));
    }),
};

/** `apart` returns the exchange for the next element; `max`: the most bytes of all results. */
type ElementWork = (elements: readonly unknown[], apart: () => Exchange, max: number) => readonly unknown[];

/** Functions that write. Their changes are visible only for the same element (Camel). */
const writes = /\b(?:set(?:Header|Variable)|(?:list|map)(?:Add|Remove))\(/;

/** `name(exp,function)`: the function gets each element as the body. */
function compileEach(call: Call, compile: (call: Call, argument: Argument) => ElementWork): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp,function)`, 2, 2);
  const value = evalOf(call, list[0]);
  const argument = list[1] as Argument;
  const work = compile(call, argument);
  const apart = writes.test(argument.text);
  return (exchange, body) => {
    const max = maxBytes(exchange);
    const elements = elementsOf(value(exchange, body), max);
    checkCount(elements.length, max);
    return work(elements, () => (apart ? exchange.copy() : exchange), max);
  };
}

const any = Number.POSITIVE_INFINITY;
