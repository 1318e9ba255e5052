/** Fills the parameters of a statement from a message (Camel: DefaultSqlPrepareStatementStrategy). */
import type { SqlDialect, SqlStatement } from "../../connectors/sql-client.ts";
import { asValue, isPlainObject } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { meaning } from "../../engine/json-data.ts";
import { LazyList } from "../../engine/lazy-list.ts";
import { JsonText } from "../../engine/message.ts";
import type { Expression } from "../../engine/processor.ts";
import { type Query, type QueryParameter, shown } from "./query.ts";
import { splitText } from "./split-text.ts";

export interface ParameterOptions {
  /** What separates the values of a text, for parameters by position. */
  readonly separator: string;
  /** Compiles an expression in simple. Throws ExpressionSyntaxError. */
  readonly simple: (text: string) => Expression;
}

/** What a statement's values are taken from. */
export interface ParameterSource {
  readonly exchange: Exchange;
  /** The message's body, an element of it, or a header: for values by position, and the first place of names. */
  readonly value: unknown;
}

export class Parameters {
  readonly query: Query;
  readonly #separator: string;
  readonly #expressions = new Map<string, Expression>();

  /** Throws ExpressionSyntaxError. */
  constructor(query: Query, { separator, simple }: ParameterOptions) {
    this.query = query;
    this.#separator = separator;
    for (const part of query.parts)
      if (typeof part !== "string" && part.kind === "simple") this.#expressions.set(part.text, simple(part.text));
  }

  /** true: the text of the statement depends on the values. */
  get varies(): boolean {
    return this.query.parts.some((part) => typeof part !== "string" && part.list);
  }

  /** Throws a FlowException for values that are missing or too many. */
  bind(source: ParameterSource, dialect: Pick<SqlDialect, "placeholder">): SqlStatement {
    const { parts, named } = this.query;
    const values: unknown[] = [];
    const positions = named ? [] : this.#positions(source.value);
    let text = "";
    let taken = 0;
    for (const part of parts) {
      if (typeof part === "string") {
        text += part;
        continue;
      }
      const value = named ? this.#named(part, source) : positions[taken++];
      const given = part.list ? this.#elements(part, value) : [value];
      text += given.map((_, index) => dialect.placeholder(values.length + index + 1)).join(", ");
      values.push(...given.map(parameterValue));
    }
    return { text, values };
  }

  /** Returns as many values as there are parameters. */
  #positions(value: unknown): readonly unknown[] {
    const { count, text } = this.query;
    if (count === 0) return [];
    const values = positionsOf(value, count, this.#separator);
    if (values.length === count) return values;
    throw new FlowException(
      "java.sql.SQLException",
      `'${shown(text)}' has ${count} parameters, and the message gives ${values.length} values for them`,
    );
  }

  #named({ kind, text }: QueryParameter, { exchange, value }: ParameterSource): unknown {
    if (kind === "simple") {
      const expression = this.#expressions.get(text) as Expression;
      return expression(value === exchange.message.body ? exchange : withBody(exchange, value));
    }
    return namedValue(text, { exchange, value }, ` of '${shown(this.query.text)}'`);
  }

  #elements({ text }: QueryParameter, value: unknown): readonly unknown[] {
    const list = value === null || value === undefined ? [] : positionsOf(value, 2, ",");
    if (list.length > 0) return list;
    throw new FlowException(
      "java.lang.IllegalArgumentException",
      `the list ':#in:${text}' of '${shown(this.query.text)}' is empty, which SQL cannot express: go round the statement with a choice or a filter`,
    );
  }
}

/**
 * Looks up a name: first what a step of the flow has set (a header, a property, a variable), then the body, then a header that came with the
 * message. Camel takes the body and every header first, so a caller could put a value in the place of the flow's own. `where`: for the message
 * of the failure. Throws RuntimeExchangeException for a name that is nowhere.
 */
export function namedValue(name: string, { exchange, value }: ParameterSource, where = ""): unknown {
  const { headers } = exchange.message;
  const found =
    (headers.isWritten(name) ? named(name, headers) : undefined) ??
    named(name, exchange.properties) ??
    named(name, exchange.variables) ??
    named(name, value) ??
    named(name, headers);
  if (found !== undefined) return found.value;
  throw new FlowException(
    "org.apache.camel.RuntimeExchangeException",
    `':#${name}'${where} is neither a header nor a property, a variable or a key of the body`,
  );
}

/** Copies the exchange for an expression that reads an element as the body. */
function withBody(exchange: Exchange, body: unknown): Exchange {
  const copy = exchange.copy();
  copy.message.body = body;
  return copy;
}

interface Named {
  get(name: string): unknown;
  has(name: string): boolean;
}

/** Looks up a name; in a map, as a row of a database, whatever its case when no key has the same. */
function named(name: string, holder: unknown): { readonly value: unknown } | undefined {
  const map = holder instanceof JsonText ? holder.value : holder;
  if (isPlainObject(map)) {
    const key = Object.hasOwn(map, name) ? name : sameName(name, Object.keys(map));
    return key === undefined ? undefined : { value: map[key] };
  }
  if (!hasNames(map)) return undefined;
  const key = map.has(name) || !(map instanceof Map) ? name : (sameName(name, map.keys()) ?? name);
  return map.has(key) ? { value: map.get(key) } : undefined;
}

function sameName(name: string, keys: Iterable<unknown>): string | undefined {
  const wanted = name.toLowerCase();
  for (const key of keys) if (typeof key === "string" && key.toLowerCase() === wanted) return key;
  return undefined;
}

function hasNames(holder: unknown): holder is Named {
  return typeof holder === "object" && holder !== null && "has" in holder && "get" in holder;
}

/** `expected`: a text is one value where one is expected, and is cut at the separator otherwise. */
function positionsOf(value: unknown, expected: number, separator: string): readonly unknown[] {
  if (typeof value === "string") return expected === 1 ? [value] : splitText(value, separator);
  if (value instanceof Uint8Array || value instanceof Date) return [value];
  const plain = asValue(value);
  if (plain === null) return [];
  if (Array.isArray(plain)) return plain;
  if (plain instanceof Set) return [...plain];
  if (plain instanceof Map) return [...plain.values()];
  if (isPlainObject(plain)) return Object.values(plain);
  return typeof plain === "string" ? positionsOf(plain, expected, separator) : [plain];
}

/** The elements of a batch: of a list, otherwise the value alone. */
export function elementsOf(value: unknown): readonly unknown[] {
  const plain = asValue(value);
  if (plain === null) return [];
  if (plain instanceof Set) return [...plain];
  return Array.isArray(plain) ? plain : [plain];
}

/** A value as clients take it: scalars, bytes, dates, lists, maps and JSON text. */
export function parameterValue(value: unknown): unknown {
  if (value instanceof JsonText) return value;
  if (value instanceof LazyList) return value.toArray();
  return meaning(value) ?? null;
}
