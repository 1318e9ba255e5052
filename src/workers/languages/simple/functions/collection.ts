/** Functions on lists and maps. What Camel changes in place is built anew here and put back where it was read from. */

import { coercedCompare, coercedEquals } from "../../../engine/compare.ts";
import { asValue, isPlainObject } from "../../../engine/convert.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { type Argument, argumentsOf, evalOf, literalOf, requiredIntegerOf } from "../arguments.ts";
import { elementsOf } from "../elements.ts";
import {
  bodyOf,
  bounded,
  type Call,
  checkCount,
  type Eval,
  type FunctionTable,
  maxBytes,
  type SimpleFunction,
  textOf,
} from "../eval.ts";
import { splitter } from "../text-building.ts";
import { writerOf } from "../write-back.ts";

const any = Number.POSITIVE_INFINITY;

export const collectionFunctions: FunctionTable = {
  list: (call) => {
    const { list } = argumentsOf(call, "list(exp,exp,...)", 0, any);
    const values = list.map((argument) => evalOf(call, argument));
    return (exchange, body) => values.map((value) => asValue(value(exchange, body)));
  },
  map,
  listAdd: (call) => changeList(call, (list, value) => (value === null ? list : [...list, value])),
  listRemove: (call) =>
    changeList(call, (list, value) => {
      const at = list.findIndex((element) => coercedEquals(element, value));
      return at < 0 ? list : list.toSpliced(at, 1);
    }),
  mapAdd: (call) => changeMap(call, 2, (map, key, value) => withKey(map, key, value)),
  mapRemove: (call) => changeMap(call, 1, withoutKey),
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
      return text === null ? null : split(textOf(text, exchange), maxBytes(exchange));
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
    return (exchange, body) =>
      elementsOf(value(exchange, body), maxBytes(exchange)).slice(Math.max(0, count(exchange, body)));
  },
  collate,
  forEach: (call) =>
    perElement(call, (call, argument) => {
      const work = evalOf(call, argument);
      return (elements, exchange) =>
        elements.map((element) => work(exchange, element)).filter((out) => (out ?? null) !== null);
    }),
  filter: (call) =>
    perElement(call, (call, argument) => {
      const test = call.scope.predicate(argument.text, argument.index);
      return (elements, exchange) => elements.filter((element) => test(exchange, element));
    }),
};

/** All arguments' elements in one list. */
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

/** `sort()`, `sort(true)` for the reverse, `sort(exp)`, `sort(exp,true)`. */
function sort(call: Call): Eval {
  const { list } = argumentsOf(call, "sort(reverse)} or ${sort(exp,reverse)", 0, 2);
  const last = list.at(-1)?.text.toLowerCase();
  const hasFlag = last === "true" || last === "false";
  if (list.length === 2 && !hasFlag) throw new ExpressionSyntaxError("reverse is true or false", call.index);
  const value = evalOf(call, list.length === 2 || !hasFlag ? list[0] : undefined);
  return (exchange, body) => {
    const sorted = elementsOf(value(exchange, body), maxBytes(exchange)).toSorted(coercedCompare);
    return last === "true" ? sorted.toReversed() : sorted;
  };
}

/** Camel's order: `join(separator,prefix,exp)`. */
function join(call: Call): Eval {
  const { list } = argumentsOf(call, "join(separator,prefix,exp)", 0, 3);
  const separator = list[0] === undefined ? "," : literalOf(call, list[0], "the separator");
  const prefix = list[1] === undefined ? "" : literalOf(call, list[1], "the prefix");
  const value = evalOf(call, list[2]);
  return (exchange, body) => {
    const max = maxBytes(exchange);
    let text = "";
    elementsOf(value(exchange, body), max).forEach((element, at) => {
      text = bounded(`${text}${at === 0 ? "" : separator}${prefix}${textOf(element, exchange)}`, max);
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

type ElementWork = (elements: readonly unknown[], exchange: Exchange) => readonly unknown[];

/** `name(exp,function)`: the function sees each element as the body. */
function perElement(call: Call, compile: (call: Call, argument: Argument) => ElementWork): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp,function)`, 2, 2);
  const value = evalOf(call, list[0]);
  const work = compile(call, list[1] as Argument);
  return (exchange, body) => {
    const elements = elementsOf(value(exchange, body), maxBytes(exchange));
    checkCount(elements.length, maxBytes(exchange));
    return work(elements, exchange);
  };
}

function changeList(call: Call, change: (list: readonly unknown[], value: unknown) => readonly unknown[]): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp)} or \${${call.name}(exp,exp)`, 1, 2);
  const source = list.length === 2 ? list[0] : undefined;
  const target = evalOf(call, source);
  const value = evalOf(call, list.at(-1));
  const write = writerOf(source, call.scope.chained);
  return (exchange, body) => {
    const present = asValue(target(exchange, body));
    if (present === null) return null;
    if (!Array.isArray(present)) throw notA("list", call);
    const changed = change(present, asValue(value(exchange, body)));
    checkCount(changed.length, maxBytes(exchange));
    if (changed !== present) write?.(exchange, changed);
    return changed;
  };
}

type Fields = Readonly<Record<string, unknown>>;

function changeMap(call: Call, fixed: 1 | 2, change: (map: Fields, key: string, value: unknown) => Fields): Eval {
  const tail = fixed === 2 ? "key,exp" : "key";
  const { list } = argumentsOf(call, `${call.name}(${tail})} or \${${call.name}(exp,${tail})`, fixed, fixed + 1);
  const source = list.length > fixed ? list[0] : undefined;
  const target = evalOf(call, source);
  const key = evalOf(call, list.at(-fixed));
  const value: Eval = fixed === 2 ? evalOf(call, list.at(-1)) : () => null;
  const write = writerOf(source, call.scope.chained);
  return (exchange, body) => {
    const present = asValue(target(exchange, body));
    if (present === null) return null;
    if (!isPlainObject(present)) throw notA("map", call);
    const changed = change(present, textOf(key(exchange, body), exchange), asValue(value(exchange, body)));
    if (changed !== present) write?.(exchange, changed);
    return changed;
  };
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
    for (let at = 0; at < values.length; at += 2) {
      const key = textOf((values[at] as Eval)(exchange, body), exchange);
      entries.push([key, asValue((values[at + 1] as Eval)(exchange, body))]);
    }
    return Object.fromEntries(entries);
  };
}

/** Object.fromEntries and rest make own fields even of a key named `__proto__`. */
function withKey(map: Fields, key: string, value: unknown): Fields {
  return Object.fromEntries([...Object.entries(map), [key, value]]);
}

function withoutKey(map: Fields, key: string): Fields {
  return Object.hasOwn(map, key) ? Object.fromEntries(Object.entries(map).filter(([name]) => name !== key)) : map;
}

function notA(what: string, call: Call): FlowException {
  return new FlowException("java.lang.IllegalArgumentException", `${call.name} needs a ${what}`);
}
