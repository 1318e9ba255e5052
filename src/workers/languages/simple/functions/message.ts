/**
 * Functions that read and write the message and the exchange: body, headers, properties, variables, ids, the exception.
 */

import { hostname } from "node:os";
import { threadId } from "node:worker_threads";
import { isKnownType, javaType } from "../../../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage, exceptionType, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { convertIn } from "../../../engine/message-text.ts";
import { getVariable, setVariable } from "../../../engine/variables.ts";
import { headerOrProperty } from "../../header.ts";
import { checkVariable } from "../../values.ts";
import { type Argument, argumentsOf, evalOf, hasFunction, literalOf, refuseRest } from "../arguments.ts";
import { bodyOf, type Call, type Eval, type FunctionTable, simpleText } from "../eval.ts";
import { snapshot, stackTrace } from "../methods/exchange.ts";
import { followPath } from "../ognl.ts";
import { parsePath } from "../ognl-path.ts";
import { bracketEnd, isQuote, quoteEnd, skipFunction, unquote } from "../scan.ts";

const ownHeader = (exchange: Exchange, name: string): unknown => exchange.message.headers.get(name);
const property = (exchange: Exchange, name: string): unknown => exchange.properties.get(name);
const variable = (exchange: Exchange, name: string): unknown => getVariable(exchange, name);

export const messageFunctions: FunctionTable = {
  body: (call) => followPath(bodyOf, call.rest, call.index, call),
  in: inMessage,
  bodyAs: (call) => typed(call, "bodyAs(type)", false),
  mandatoryBodyAs: (call) => typed(call, "mandatoryBodyAs(type)", true),
  bodyOneLine: (call) => {
    refuseRest(call);
    return (exchange, body) => (body === null ? null : simpleText(body, exchange).replaceAll("\n", ""));
  },
  bodyType: (call) => fixed(call, (_exchange, body) => (body === null ? null : javaType(body))),

  header: (call) => readKeyed(call, headerOrProperty),
  headers: (call) =>
    all(
      call,
      headerOrProperty,
      (exchange) => snapshot(exchange.message.headers.entries()),
      (exchange) => exchange.message.headers.size,
    ),
  headerAs: (call) => namedAs(call, "headerAs(key,type)", headerOrProperty),
  exchangeProperty: (call) => readKeyed(call, property),
  variable: (call) => readKeyed(call, variable, declaring(call)),
  variables: (call) =>
    all(
      call,
      variable,
      (exchange) => snapshot(exchange.variables),
      (exchange) => exchange.variables.size,
      declaring(call),
    ),
  variableAs: (call) => namedAs(call, "variableAs(key,type)", variable),
  setHeader: (call) =>
    set(call, (exchange, name, value) => {
      if (value === null || value === undefined) exchange.message.headers.delete(name);
      else exchange.message.headers.set(name, value);
    }),
  setVariable: (call) => set(call, setVariable),

  exchange: (call) =>
    call.rest === ""
      ? (exchange) => `Exchange[${exchange.id}]`
      : followPath((exchange) => exchange, call.rest, call.index, call),
  exchangeId: (call) => fixed(call, (exchange) => exchange.id),
  id: (call) => fixed(call, (exchange) => exchange.id),
  messageTimestamp: (call) => fixed(call, (exchange) => exchange.created),
  originalBody: (call) => fixed(call, (exchange) => exchange.original?.body ?? null),
  stepId: (call) => fixed(call, (exchange) => exchange.properties.get("CamelStepId") ?? null),
  routeId: (call) => fixed(call, (exchange) => exchange.routeId),
  fromRouteId: (call) => fixed(call, (exchange) => exchange.fromRouteId),
  routeGroup: (call) => fixed(call, () => call.scope.context.routeGroup ?? null),
  camelId: (call) => fixed(call, () => "bulkhead"),
  threadId: (call) => fixed(call, () => threadId),
  threadName: (call) => fixed(call, () => `flow-thread-${threadId}`),
  hostname: hostName,
  hostName,
  exception,
};

/** The lookups of `${header.a}` and similar functions, for the languages of those names. */
export const lookups = { header: ownHeader, property, variable } as const;

function fixed(call: Call, read: Eval): Eval {
  refuseRest(call);
  return read;
}

function hostName(call: Call): Eval {
  const name = hostname();
  return fixed(call, () => name);
}

/** `in.body`, `in.header.x`: Camel 2's spelling. */
function inMessage(call: Call): Eval {
  const found = /^\.(body|headers?)/.exec(call.rest);
  if (found === null) throw new ExpressionSyntaxError("write ${in.body} or ${in.header.name}", call.index);
  const name = found[1] as string;
  const inner = { ...call, name, rest: call.rest.slice(found[0].length), index: call.index + found[0].length };
  const compile = messageFunctions[name];
  return compile === undefined ? bodyOf : compile(inner);
}

function exception(call: Call): Eval {
  if (call.rest === ".message") {
    return (exchange) => {
      const error = exceptionOf(exchange);
      return error === null ? null : exceptionMessage(error);
    };
  }
  if (call.rest.toLowerCase() === ".stacktrace") {
    return (exchange) => {
      const error = exceptionOf(exchange);
      return error === null ? null : stackTrace(error);
    };
  }
  return followPath(exceptionOf, call.rest, call.index, call);
}

/**
 * Returns the exception that is being handled, or the last one that was caught (Camel: property CamelExceptionCaught).
 */
/** Declares the variable that a function names. */
const declaring =
  ({ scope }: Call) =>
  (name: string, index: number): void =>
    checkVariable(name, index, scope.context);

function exceptionOf(exchange: Exchange): unknown {
  return exchange.exception ?? exchange.properties.get("CamelExceptionCaught") ?? null;
}

/** `headers`, `headers.size`, `headers.x`. */
function all(
  call: Call,
  lookup: (exchange: Exchange, name: string) => unknown,
  every: (exchange: Exchange) => unknown,
  size: (exchange: Exchange) => number,
  check?: (name: string, index: number) => void,
): Eval {
  if (call.rest === "") return every;
  if (/^\.(?:size|length)(?:\(\))?$/.test(call.rest)) return size;
  return readKeyed(call, lookup, check);
}

export function typeArgument(call: Call, argument: Argument): string {
  const name = literalOf(call, argument, "the type").replace(/\.class$/, "");
  if (isKnownType(name)) return name;
  throw new ExpressionSyntaxError(`unknown type ${name}: write String, Integer, java.util.Map, ...`, argument.index);
}

function typed(call: Call, usage: string, mandatory: boolean): Eval {
  const { list, path, pathIndex } = argumentsOf(call, usage, 1, 1);
  const type = typeArgument(call, list[0] as Argument);
  const read: Eval = (exchange, body) => {
    if (!mandatory) return convertIn(exchange, body, type);
    let cause: unknown;
    try {
      const value = convertIn(exchange, body, type);
      if (value !== null) return value;
    } catch (error) {
      if (exceptionType(error) === "LimitExceededException") throw error;
      cause = error;
    }
    const message = `No body available of type: ${type} but has type: ${javaType(body)}`;
    const invalid = new FlowException("org.apache.camel.InvalidPayloadException", message, { cause });
    throw new FlowException("org.apache.camel.CamelExecutionException", message, { cause: invalid });
  };
  return followPath(read, path, pathIndex, call);
}

function namedAs(call: Call, usage: string, lookup: (exchange: Exchange, name: string) => unknown): Eval {
  const { list, path, pathIndex } = argumentsOf(call, usage, 2, 2);
  const [name, type] = list as [Argument, Argument];
  const typeName = typeArgument(call, type);
  if (lookup === variable) declaring(call)(name.text, name.index);
  const key = evalOf(call, name);
  return followPath(
    (exchange, body) =>
      convertIn(exchange, lookup(exchange, simpleText(key(exchange, body), exchange)) ?? null, typeName),
    path,
    pathIndex,
    call,
  );
}

/** `setHeader(name,exp)`, `setHeader(name,type,exp)`: the result is null, so a template shows nothing. */
function set(call: Call, write: (exchange: Exchange, name: string, value: unknown) => void): Eval {
  const { list } = argumentsOf(call, `${call.name}(name,exp)} or \${${call.name}(name,type,exp)`, 2, 3);
  const name = list[0] as Argument;
  if (call.name === "setVariable") declaring(call)(name.text, name.index);
  const key = evalOf(call, name);
  const value = evalOf(call, list.at(-1));
  const type = list.length === 3 ? typeArgument(call, list[1] as Argument) : undefined;
  return (exchange, body) => {
    const result = value(exchange, body);
    const name = simpleText(key(exchange, body), exchange);
    write(exchange, name, type === undefined ? result : convertIn(exchange, result, type));
    return null;
  };
}

export type Lookup = (exchange: Exchange, name: string) => unknown;

/** Compiles a lookup by name. `check` refuses names when the flow is compiled. Throws ExpressionSyntaxError. */
export function readKeyed(call: Call, lookup: Lookup, check?: (name: string, index: number) => void): Eval {
  const { name, path, index, pathIndex } = splitName(call);
  if (name === "") throw new ExpressionSyntaxError(`a name is missing: write \${${call.name}.name}`, call.index);
  if (hasFunction(name)) {
    const key = call.scope.expression(name, index);
    const read: Eval = (exchange, body) => lookup(exchange, simpleText(key(exchange, body), exchange)) ?? null;
    return followPath(read, path, pathIndex, call);
  }
  check?.(name, index);
  const read: Eval = (exchange) => lookup(exchange, name) ?? null;
  if (path === "") return read;
  // Camel follows a path from a header only.
  const own = lookup === headerOrProperty ? ownHeader : lookup;
  const inner = followPath((exchange) => own(exchange, name) ?? null, path, pathIndex, call);
  // `header.a.b` may be a header named "a.b": Camel tries the whole name first.
  if (!parsePath(path, pathIndex).every((step) => step.kind === "member" && !step.safe)) return inner;
  const whole = name + path;
  return (exchange, body) => own(exchange, whole) ?? inner(exchange, body);
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
