/** Functions that change a list or a map. Camel changes it in place; here a changed copy is written back. */
import { coercedEquals } from "../../../engine/compare.ts";
import { asElement, asValue, isPlainObject } from "../../../engine/convert.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { changedCopy } from "../../../engine/json-node.ts";
import { setVariable } from "../../../engine/variables.ts";
import { type Argument, argumentsOf, evalOf } from "../arguments.ts";
import { type Call, type Eval, type FunctionTable, Growth, maxBytes, simpleText } from "../eval.ts";

export const changeFunctions: FunctionTable = {
  listAdd: (call) => changeList(call, (list, value) => (value === null ? list : [...list, value])),
  listRemove: (call) => changeList(call, removeElement),
  mapAdd: (call) => changeMap(call, 2, (map, key, value) => addKey(map, key, value)),
  mapRemove: (call) => changeMap(call, 1, withoutKey),
};

/** Removes the first equal element; else, when the value is a number, the element at that index (Camel). */
function removeElement(list: readonly unknown[], value: unknown): readonly unknown[] {
  const same = list.findIndex(
    (element) => element === value || (typeof element === "object" && coercedEquals(element, value)),
  );
  const index = /^\d{1,9}$/.test(String(value)) ? Number(value) : -1;
  const at = same < 0 ? index : same;
  return at < 0 || at >= list.length ? list : list.toSpliced(at, 1);
}

/** Changes a list. Any other value stays as it is, and the result is null. */
function changeList(call: Call, change: (list: readonly unknown[], value: unknown) => readonly unknown[]): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp)} or \${${call.name}(exp,exp)`, 1, 2);
  const source = list.length === 2 ? list[0] : undefined;
  const target = evalOf(call, source);
  const value = evalOf(call, list.at(-1));
  const write = writerOf(source, call.scope.chained);
  return (exchange, body) => {
    const given = target(exchange, body);
    const present = asValue(given);
    if (!Array.isArray(present)) return null;
    const changed = change(present, asElement(value(exchange, body)));
    if (changed.length > present.length) new Growth(maxBytes(exchange)).add(changed);
    if (changed === present) return given;
    const copy = changedCopy(given, changed, maxBytes(exchange));
    write?.(exchange, copy);
    return copy;
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
    const given = target(exchange, body);
    const present = asValue(given);
    if (!isPlainObject(present)) return null;
    const changed = change(present, simpleText(key(exchange, body), exchange), asElement(value(exchange, body)));
    if (fixed === 2) new Growth(maxBytes(exchange)).add(changed);
    if (changed === present) return given;
    const copy = changedCopy(given, changed, maxBytes(exchange));
    write?.(exchange, copy);
    return copy;
  };
}

/** Object.fromEntries and rest make own fields, even for a key named `__proto__`. */
function addKey(map: Fields, key: string, value: unknown): Fields {
  return Object.fromEntries([...Object.entries(map), [key, value]]);
}

function withoutKey(map: Fields, key: string): Fields {
  return Object.hasOwn(map, key) ? Object.fromEntries(Object.entries(map).filter(([name]) => name !== key)) : map;
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
