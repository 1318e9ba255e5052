/**
 * Functions that pass their text to another language: `${jsonpath(...)}`, `${jq(...)}`, `${xpath(...)}` (Camel:
 * QueryLanguageFunctionFactory).
 */
import { asValue } from "../../../engine/convert.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import type { LanguageDefinition } from "../../../engine/language.ts";
import { parseJson } from "../../../engine/parse-json.ts";
import type { Expression } from "../../../engine/processor.ts";
import { sourceReader } from "../../input.ts";
import { hasFunction } from "../arguments.ts";
import { type Call, type Eval, type FunctionTable, simpleText } from "../eval.ts";
import { followPath } from "../ognl.ts";
import { skipSpaces, unquote } from "../scan.ts";

export const queryFunctions: FunctionTable = {
  jsonpath: (call) => delegated(call),
  jq: (call) => delegated(call),
  xpath: (call) => delegated(call),
  simpleJsonpath,
};

interface Query {
  readonly text: string;
  readonly index: number;
  /** `header:name` and the like; undefined for the body. */
  readonly source: string | undefined;
}

const sourceText = /^\s*((?:header|property|exchangeProperty|variable):[^,]*?)\s*,\s*/;

/** `name(text)` or `name(source,text)`. The text may contain brackets and commas, and may be quoted. */
function queryOf(call: Call): Query {
  const { name, rest, index } = call;
  if (!rest.startsWith("(") || !rest.endsWith(")")) {
    throw new ExpressionSyntaxError(`write \${${name}(text)} or \${${name}(header:key,text)}`, index);
  }
  const inside = unquote(rest.slice(1, -1));
  const source = sourceText.exec(inside);
  const text = source === null ? inside : inside.slice(source[0].length);
  if (text.trim() === "") throw new ExpressionSyntaxError(`the text of \${${name}(...)} is missing`, index);
  return { text: unquote(text), index: index + rest.indexOf(text), source: source?.[1] };
}

function delegated(call: Call): Eval {
  const { context } = call.scope;
  const language = context.language(call.name);
  if (language === undefined) {
    throw new ExpressionSyntaxError(`the language '${call.name}' is not part of this runtime`, call.index);
  }
  const { text, index, source } = queryOf(call);
  const options = source === undefined ? {} : { source };
  const compile = (written: string): Expression => language.expression(written, options, context);
  // jsonpath evaluates functions in its text itself.
  if (call.name !== "jsonpath" && hasFunction(text)) return compileDynamic(call, language, text, index, compile);
  const read = shiftErrors(() => compile(text), index);
  return (exchange, body) => read(withBody(exchange, body));
}

/** Compiles a text with functions again whenever its value changes; keeps the latest result. */
function compileDynamic(
  call: Call,
  language: LanguageDefinition,
  text: string,
  index: number,
  compile: (text: string) => Expression,
): Eval {
  // Loads the language's library now, since it cannot be loaded while a message is processed.
  language.expression(language.example, {}, call.scope.context);
  const write = call.scope.expression(text, index);
  let last: { text: string; read: Expression } | undefined;
  return (exchange, body) => {
    const written = simpleText(write(exchange, body), exchange);
    try {
      if (last?.text !== written) last = { text: written, read: compile(written) };
    } catch (error) {
      if (!(error instanceof ExpressionSyntaxError)) throw error;
      throw new FlowException("java.lang.IllegalArgumentException", `${call.name}: ${error.message}`);
    }
    return last.read(withBody(exchange, body));
  };
}

/**
 * Returns an exchange with the body of the expression, which on the right of `~>` and in `forEach` is not the
 * exchange's own.
 */
function withBody(exchange: Exchange, body: unknown): Exchange {
  if (body === (exchange.message.body ?? null)) return exchange;
  const copy = exchange.copy();
  copy.message.body = body;
  return copy;
}

/** Shifts the positions in errors, which the other language counts from the start of its own text. */
function shiftErrors<T>(compile: () => T, index: number): T {
  try {
    return compile();
  } catch (error) {
    if (!(error instanceof ExpressionSyntaxError)) throw error;
    throw new ExpressionSyntaxError(error.message, index + error.index);
  }
}

/**
 * Reads `a.b[0].c` in JSON: keys and indexes only. A missing part fails (Camel: JsonObject.path), except after `?.`.
 */
function simpleJsonpath(call: Call): Eval {
  const { text, index, source } = queryOf(call);
  if (hasFunction(text)) {
    throw new ExpressionSyntaxError("the path of ${simpleJsonpath(...)} is a fixed text: use ${jsonpath(...)}", index);
  }
  const read = sourceReader(source, call.scope.context);
  const input: Eval = (exchange, body) => jsonOf(source === undefined ? body : read(exchange), exchange);
  const start = skipSpaces(text, 0);
  const path = text.slice(start);
  // Rewrites each part as a key, so that no method is called.
  const keys = (path.startsWith("[") ? path : `.${path}`).replace(/(\??)\.([^.?[\]]+)/g, "$1[$2]");
  if (!/^(?:\??\[[^[\]]+\])+$/.test(keys)) {
    throw new ExpressionSyntaxError("write a path such as order.lines[0].price", index);
  }
  const value = followPath(input, keys, index + start, call);
  const isOptional = path.includes("?");
  return (exchange, body) => {
    const found = value(exchange, body) ?? null;
    if (found !== null || isOptional || input(exchange, body) === null) return found;
    throw new FlowException("java.lang.IllegalArgumentException", `simpleJsonpath: nothing at ${path.slice(0, 200)}`);
  };
}

function jsonOf(value: unknown, exchange: Exchange): unknown {
  const inner = asValue(value);
  if (typeof inner !== "string" && !(inner instanceof Uint8Array)) return inner;
  const text = simpleText(inner, exchange);
  try {
    return asValue(parseJson(text));
  } catch (error) {
    if (error instanceof FlowException) throw error;
    throw new FlowException("org.apache.camel.TypeConversionException", "simpleJsonpath: the text is not JSON");
  }
}
