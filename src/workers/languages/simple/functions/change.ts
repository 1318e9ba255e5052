/**
 * Functions that change a list or a map in place, as in Camel (CollectionExpressionBuilder). One that belongs to a text,
 * to a node of JSON or to several runs is copied, and the copy is written back.
 */
import { coercedEquals } from "../../../engine/compare.ts";
import { asElement, asValue, isPlainObject } from "../../../engine/convert.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { addInPlace, isFixed, ownCopy, permitChanges, putInPlace } from "../../../engine/in-place.ts";
import { changedCopy } from "../../../engine/json-node.ts";
import { setVariable } from "../../../engine/variables.ts";
import { type Argument, argumentsOf, evalOf } from "../arguments.ts";
import { type Call, type Eval, type FunctionTable, Growth, maxBytes, simpleText } from "../eval.ts";

type Fields = Record<string, unknown>;

export const changeFunctions: FunctionTable = {
  listAdd: (call) =>
    changeList(call, (list, value) => {
      if (value !== null) addInPlace(list, value);
    }),
  listRemove: (call) => changeList(call, removeElement),
  mapAdd: (call) =>
    changeMap(call, 2, (map, key, value) => {
      if (value !== null) putInPlace(map, key, value);
    }),
  mapRemove: (call) =>
    changeMap(call, 1, (map, key) => {
      delete map[key];
    }),
};

/** Removes the first equal element; else `last` is the last one, and a number the one at that index (Camel). */
function removeElement(list: unknown[], value: unknown): void {
  const same = list.findIndex(
    (element) => element === value || (typeof element === "object" && coercedEquals(element, value)),
  );
  const index = value === "last" ? list.length - 1 : /^\d{1,9}$/.test(String(value)) ? Number(value) : -1;
  const at = same < 0 ? index : same;
  if (at >= 0 && at < list.length) list.splice(at, 1);
}

/** Changes a list. Any other value stays as it is, and the result is null. */
function changeList(call: Call, change: (list: unknown[], value: unknown) => void): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp)} or \${${call.name}(exp,exp)`, 1, 2);
  const source = list.length === 2 ? list[0] : undefined;
  const target = evalOf(call, source);
  const value = evalOf(call, list.at(-1));
  const write = writerOf(source, call.scope.chained);
  permitChanges();
  return (exchange, body) => {
    const given = target(exchange, body);
    const present = asValue(given);
    if (!Array.isArray(present)) return null;
    const one = asElement(value(exchange, body));
    checkGrowth(exchange, present, one);
    return changed(exchange, given, present, (own) => change(own, one), write);
  };
}

function changeMap(call: Call, fixed: 1 | 2, change: (map: Fields, key: string, value: unknown) => void): Eval {
  const tail = fixed === 2 ? "key,exp" : "key";
  const { list } = argumentsOf(call, `${call.name}(${tail})} or \${${call.name}(exp,${tail})`, fixed, fixed + 1);
  const source = list.length > fixed ? list[0] : undefined;
  const target = evalOf(call, source);
  const key = evalOf(call, list.at(-fixed));
  const value: Eval = fixed === 2 ? evalOf(call, list.at(-1)) : () => null;
  const write = writerOf(source, call.scope.chained);
  permitChanges();
  return (exchange, body) => {
    const given = target(exchange, body);
    const present = asValue(given);
    if (!isPlainObject(present)) return null;
    const name = simpleText(key(exchange, body), exchange);
    const one = asElement(value(exchange, body));
    if (fixed === 2) checkGrowth(exchange, present, one);
    return changed(exchange, given, present, (own) => change(own, name, one), write);
  };
}

function checkGrowth(exchange: Exchange, present: object, added: unknown): void {
  const growth = new Growth(maxBytes(exchange));
  growth.add(present);
  growth.add(added);
}

/** Changes the value itself, or a copy of one that belongs to others, and stores the result in the value's place, which weighs it. */
function changed<T extends object>(
  exchange: Exchange,
  given: unknown,
  present: T,
  change: (own: T) => void,
  write: Write | undefined,
): unknown {
  if (given === present && !isFixed(present)) {
    change(present);
    write?.(exchange, present);
    return present;
  }
  const own = ownCopy(present);
  change(own);
  const copy = changedCopy(given, own, maxBytes(exchange));
  write?.(exchange, copy);
  return copy;
}

type Write = (exchange: Exchange, value: unknown) => void;

const place =
  /^\$(?:simple)?\{(?:in\.)?(body|headers?|exchangeProperty|variables?)(?:[.:]([^.[\]?${}()]+)|\[([^[\]${}]+)\])?\}$/;

/**
 * Returns the writer of the source's place; undefined without such a place: the changed value is then only the result.
 */
export function writerOf(source: Argument | undefined, chained: boolean): Write | undefined {
  // On the right of ~> the body is the result of the left side.
  if (source === undefined || source.text === "$param") return chained ? undefined : writeBody;
  const found = place.exec(source.text);
  if (found === null) return undefined;
  const name = found[2] ?? found[3];
  if (found[1] === "body") return name === undefined && !chained ? writeBody : undefined;
  if (name === undefined) return undefined;
  if (found[1] === "exchangeProperty") return (exchange, value) => void exchange.properties.set(name, value);
  if (found[1]?.startsWith("header")) return (exchange, value) => exchange.message.headers.set(name, value);
  return (exchange, value) => setVariable(exchange, name, value);
}

const writeBody: Write = (exchange, value) => {
  exchange.message.body = value;
};
