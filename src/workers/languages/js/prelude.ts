/** The global scope of a script, itself written in JavaScript (Camel's javascript binds the same names). */
import { randomHex } from "../../../shared/ids.ts";

let made: string | undefined;

/** Returns a script that evaluates to `{prepare(input), finish(value)}`; their texts are JSON (js/exchange-copy.ts has the shapes). */
export function prelude(): string {
  // A random mark that no text of a message begins with.
  made ??= preludeWith(randomHex(32));
  return made;
}

const preludeWith = (mark: string): string => `(() => {
  const native = { parse: JSON.parse, stringify: JSON.stringify };
  const mark = "${mark}", marked = /"${mark}(-?\\d+)"/g;
  /**
   * The interpreter's JSON loses digits of whole numbers beyond 2^53, and has no way to write them: they are marked
   * texts on the way.
   */
  const exactNumber = (text) => /^-?\\d{16,}$/.test(text) && !Number.isSafeInteger(Number(text)) ? '"' + mark + text + '"' : text;
  const parseExactly = (text, reviver) => {
    const unmark = (value) => typeof value === "string" && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value;
    return native.parse(String(text).replace(/"(?:[^"\\\\]|\\\\.)*"|-?\\d[\\d.eE+-]*/g, exactNumber), function (key, value) {
      return reviver === undefined ? unmark(value) : reviver.call(this, key, unmark(value));
    });
  };
  const parse = (text, reviver) => /\\d{16}/.test(text) ? parseExactly(text, reviver) : native.parse(text, reviver);
  const stringify = (value, replacer, space) => {
    const text = native.stringify(value, replacer, space);
    return typeof text === "string" && text.includes(mark) ? text.replace(marked, "$1") : text;
  };
  Object.defineProperty(BigInt.prototype, "toJSON", { value() { return mark + this; }, configurable: true, writable: true });
  Object.assign(JSON, { parse, stringify });
  const lines = [];
  const written = { headers: {}, properties: {}, variables: {} };
  let bodyWritten = false, body, before;

  const hidden = (target, methods) => {
    for (const name of Object.keys(methods)) Object.defineProperty(target, name, { value: methods[name], enumerable: false, writable: true });
    return target;
  };
  /** A map that is read as an object and as a java.util.Map, and notes what is set. */
  const noted = (entries, changes, fold) => {
    const values = Object.create(null);
    for (const [name, value] of entries) values[name] = value;
    const own = (name) => {
      if (!fold || name in values) return name;
      const lower = name.toLowerCase();
      return Object.keys(values).find((known) => known.toLowerCase() === lower) ?? name;
    };
    const get = (name) => values[own(String(name))];
    const set = (name, value) => {
      const key = own(String(name)), old = values[key];
      values[key] = value;
      changes[key] = value === undefined ? null : value;
      return old;
    };
    const remove = (name) => {
      const key = own(String(name)), old = values[key];
      delete values[key];
      changes[key] = null;
      return old;
    };
    const methods = {
      get, put: set, set, remove,
      getOrDefault: (name, other) => get(name) ?? other,
      containsKey: (name) => own(String(name)) in values,
      keySet: () => Object.keys(values), values: () => Object.values(values), size: () => Object.keys(values).length,
      isEmpty: () => Object.keys(values).length === 0, clear: () => Object.keys(values).forEach(remove),
    };
    return new Proxy(values, {
      get: (_, name) => typeof name === "symbol" ? undefined : own(name) in values ? get(name) : methods[name],
      set: (_, name, value) => (set(name, value), true),
      deleteProperty: (_, name) => (remove(name), true),
      has: (_, name) => own(String(name)) in values,
    });
  };

  const prepare = (text) => {
    const plain = native.parse(text);
    const read = plain.exact ? parse : native.parse;
    const input = plain.exact ? parse(text) : plain;
    body = input.bodyText === undefined ? input.body : read(input.bodyText);
    if (typeof body === "object" && body !== null) {
      before = stringify(body);
      // In Camel such a body is the text itself: JSON.parse(body) works here, too.
      if (input.bodyText !== undefined) hidden(body, { toString: () => input.bodyText });
    }
    const headers = noted(input.headers, written.headers, true);
    const properties = noted(input.properties, written.properties, false);
    const variables = noted(input.variables, written.variables, false);
    const message = hidden({
      get body() { return body; },
      set body(value) { body = value; bodyWritten = true; },
      headers,
    }, {
      getBody: () => body, setBody: (value) => { body = value; bodyWritten = true; },
      getHeader: (name, other) => headers.get(name) ?? other ?? null, setHeader: (name, value) => { headers.set(name, value); },
      removeHeader: (name) => headers.remove(name) ?? null, getHeaders: () => headers, hasHeaders: () => headers.size() > 0,
      getMessageId: () => input.exchangeId, getExchange: () => exchange,
    });
    const exchange = hidden({
      message, in: message, properties, variables, exchangeId: input.exchangeId, fromRouteId: input.fromRouteId, pattern: input.pattern,
    }, {
      getMessage: () => message, getIn: () => message, getExchangeId: () => input.exchangeId,
      getFromRouteId: () => input.fromRouteId, getPattern: () => input.pattern,
      getProperty: (name, other) => properties.get(name) ?? other ?? null, setProperty: (name, value) => { properties.set(name, value); },
      removeProperty: (name) => properties.remove(name) ?? null, getProperties: () => properties, getAllProperties: () => properties,
      getVariable: (name, other) => variables.get(name) ?? other ?? null, setVariable: (name, value) => { variables.set(name, value); },
      removeVariable: (name) => variables.remove(name) ?? null, getVariables: () => variables,
    });
    const show = (value) => typeof value === "string" ? value : typeof value === "object" && value !== null ? stringify(value) : String(value);
    const log = (level) => (...values) => { if (lines.length < input.maxLines) lines.push([level, values.map(show).join(" ")]); };
    const console = { log: log("INFO"), info: log("INFO"), warn: log("WARN"), error: log("ERROR"), debug: log("DEBUG") };
    Object.assign(globalThis, {
      exchange, message, headers, properties, exchangeProperties: properties, variables, body, exchangeId: input.exchangeId, console,
    });
  };

  const finish = (result) => {
    const output = { result: typeof result === "function" || result === undefined ? null : result, lines, ...written };
    if (bodyWritten || (before !== undefined && stringify(body) !== before)) output.body = body === undefined ? null : body;
    return stringify(output);
  };
  return { prepare, finish };
})()`;
