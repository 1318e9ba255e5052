/**
 * `header.x`, `header:x`, `header[x]` and the same of properties and variables: a name, and perhaps a path into the
 * value.
 */
import { ExpressionSyntaxError } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { hasFunction } from "./arguments.ts";
import type { Call, Eval } from "./eval.ts";
import { textOf } from "./eval.ts";
import { followPath } from "./ognl.ts";
import { parsePath } from "./ognl-path.ts";
import { bracketEnd, isQuote, quoteEnd, skipFunction, unquote } from "./scan.ts";

export type Lookup = (exchange: Exchange, name: string) => unknown;

/** Compiles a lookup by name. `check` refuses names when the flow is compiled. Throws ExpressionSyntaxError. */
export function readKeyed(call: Call, lookup: Lookup, check?: (name: string, index: number) => void): Eval {
  const { name, path, index, pathIndex } = splitName(call);
  if (name === "") throw new ExpressionSyntaxError(`a name is missing: write \${${call.name}.name}`, call.index);
  if (hasFunction(name)) {
    const key = call.scope.expression(name, index);
    const read: Eval = (exchange, body) => lookup(exchange, textOf(key(exchange, body), exchange)) ?? null;
    return followPath(read, path, pathIndex, call);
  }
  check?.(name, index);
  const read: Eval = (exchange) => lookup(exchange, name) ?? null;
  if (path === "") return read;
  const inner = followPath(read, path, pathIndex, call);
  // `header.a.b` may be a header named "a.b": Camel tries the whole name first.
  if (!parsePath(path, pathIndex).every((step) => step.kind === "member" && !step.safe)) return inner;
  const whole = name + path;
  return (exchange, body) => lookup(exchange, whole) ?? inner(exchange, body);
}

interface Name {
  readonly name: string;
  readonly index: number;
  readonly path: string;
  readonly pathIndex: number;
}

function splitName(call: Call): Name {
  const { rest, index } = call;
  let from = rest.startsWith("?.") ? 2 : rest.startsWith(".") || rest.startsWith(":") ? 1 : 0;
  if (rest[from] === "[") {
    const end = bracketEnd(rest, from);
    if (end < 0) throw new ExpressionSyntaxError("the bracket has no closing ']'", index + from);
    const inner = rest.slice(from + 1, end);
    return {
      name: unquote(inner.trim()),
      index: index + from + 1,
      path: rest.slice(end + 1),
      pathIndex: index + end + 1,
    };
  }
  if (from === 0) throw new ExpressionSyntaxError(`write \${${call.name}.name} or \${${call.name}[name]}`, index);
  const start = from;
  if (isQuote(rest.charCodeAt(from))) from = quoteEnd(rest, from) + 1 || from;
  while (from < rest.length && !/[.[?]/.test(rest[from] as string)) from = Math.max(skipFunction(rest, from), from + 1);
  return {
    name: unquote(rest.slice(start, from).trim()),
    index: index + start,
    path: rest.slice(from),
    pathIndex: index + from,
  };
}
