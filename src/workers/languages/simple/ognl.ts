/**
 * Follows a path into a value: keys, indexes and listed methods, but never properties of a prototype (Camel:
 * BeanExpression).
 */

import { saysJson } from "../../../shared/http-headers.ts";

import { asText, asValue, isPlainObject, javaType, numberOf } from "../../engine/convert.ts";
import { ExpressionSyntaxError, exceptionMessage, exceptionType, FlowException } from "../../engine/exception.ts";

import { Exchange } from "../../engine/exchange.ts";
import { JsonNode } from "../../engine/json-node.ts";
import { JsonText, Message } from "../../engine/message.ts";
import { evalOf, hasFunction } from "./arguments.ts";
import { suggestion } from "./did-you-mean.ts";
import { type Call, type Eval, maxBytes, simpleText } from "./eval.ts";
import { detail } from "./methods/exchange.ts";
import { methodNames, methodsOf } from "./methods/index.ts";
import { elementAt, ownValue } from "./methods/values.ts";
import { type PathStep, parsePath } from "./ognl-path.ts";

type Follow = (value: unknown, exchange: Exchange, body: unknown) => unknown;
interface CompiledStep {
  readonly follow: Follow;
  readonly safe: boolean;
  /** The path up to this step, for messages. */
  readonly text: string;
}

/**
 * Returns a reader that follows the path from the value of `read`. null at the start yields null; null in a later step
 * fails with RuntimeBeanExpressionException, or yields null when the step has a `?`.
 */
export function followPath(read: Eval, path: string, index: number, call: Call): Eval {
  if (path === "") return read;
  return follow(read, parsePath(path, index), call, path);
}

function follow(read: Eval, path: readonly PathStep[], call: Call, text: string): Eval {
  const steps = path.map((step) => compileStep(step, call, text));
  const [only] = steps;
  const walk: Follow =
    only !== undefined && steps.length === 1
      ? (value, exchange, body) => partOf(value, only.follow(value, exchange, body))
      : walkOf(steps);
  return (exchange, body) => {
    const value = read(exchange, body);
    if (value === null || value === undefined) return null;
    try {
      return showAsText(walk(value, exchange, body));
    } catch (error) {
      throw failure(error, text, value);
    }
  };
}

function walkOf(steps: readonly CompiledStep[]): Follow {
  return (start, exchange, body) => {
    let value = start;
    for (const step of steps) {
      if (value === null || value === undefined) {
        if (step.safe) return null;
        throw new FlowException(beanException, `${step.text}: the value before it is null; write ?. to allow that`);
      }
      value = partOf(value, step.follow(value, exchange, body));
      if (step.safe && (value === null || value === undefined)) return null;
    }
    return value;
  };
}

const beanException = "org.apache.camel.language.bean.RuntimeBeanExpressionException";

/** Makes the failure of a path: Camel's exception with the cause, whose own class still catches it. */
function failure(cause: unknown, text: string, bean: unknown): unknown {
  const type = exceptionType(cause);
  if (type === beanException || type === "LimitExceededException") return cause;
  const message = `Failed to invoke method: ${text} on ${javaType(bean)} due to: ${type}: ${exceptionMessage(cause)}`;
  return new FlowException(beanException, message, { cause });
}

/** Marks parts of a value that an expression has made of JSON, so that they also render as JSON. */
function partOf(holder: unknown, found: unknown): unknown {
  return holder instanceof JsonNode ? holder.part(found) : found;
}

/** Returns a result. The exchange and its message become text. */
function showAsText(value: unknown): unknown {
  return value instanceof Exchange || value instanceof Message ? asText(value) : value;
}

function compileStep(step: PathStep, call: Call, text: string): CompiledStep {
  const { safe } = step;
  if (step.kind === "key") return { follow: keyStep(step.key, step.index, safe, call), safe, text };
  if (step.kind === "member") return { follow: memberStep(step.name), safe, text };
  return { follow: callStep(step, call), safe, text };
}

function keyStep(text: string, index: number, safe: boolean, call: Call): Follow {
  if (!hasFunction(text)) return fixedKey(text, safe);
  const key = call.scope.expression(text, index);
  return (value, exchange, body) => {
    const found = key(exchange, body);
    return fixedKey(simpleText(found, exchange), safe)(value, exchange, body);
  };
}

const fromEnd = /^last(?:\s*-\s*(\d{1,9}))?$/;
const wholeNumber = /^-?\d{1,9}$/;

function fixedKey(key: string, safe: boolean): Follow {
  const last = fromEnd.exec(key);
  const at = wholeNumber.test(key) ? Number(key) : undefined;
  return (received, exchange) => {
    const value = asValue(received);
    if (Array.isArray(value)) {
      const element = last === null ? at : value.length - 1 - Number(last[1] ?? 0);
      if (element !== undefined) {
        return safe && (element < 0 || element >= value.length) ? null : elementAt(value, element);
      }
    } else if (isPlainObject(value)) return ownValue(value, key);
    if (safe) return null;
    const bean = `${asText(received, 10_000_000).slice(0, 100)} of type: ${javaType(received)}`;
    throw new FlowException(
      "java.lang.IndexOutOfBoundsException",
      `Key: ${key} not found in bean: ${bean}${whyText(received, exchange)}`,
    );
  };
}

/** Explains why a text that looks like JSON is only a text, such as for a missing Content-Type; "" for other text. */
function whyText(received: unknown, { message }: Exchange): string {
  const type = message.headers.get("Content-Type");
  if (typeof received !== "string" || !/^\s*[[{]/.test(received) || typeof type !== "string") return "";
  if (saysJson({ "Content-Type": type })) return "";
  const how = "send it as application/json, or unmarshal it with json first";
  return ` (the message's Content-Type is ${type.slice(0, 100)}, so its text is not read as JSON: ${how})`;
}

/** `.name`: a method without arguments, a getter, or a key of the object, in this order. */
function memberStep(name: string): Follow {
  const names = [name, getter("get", name), getter("is", name)];
  return (received, exchange) => {
    const value = receiver(received);
    const methods = methodsOf(value);
    for (const candidate of names) {
      const method = methods.get(candidate);
      if (method !== undefined && method.least === 0) return method.run(value, none, maxBytes(exchange));
    }
    if (isPlainObject(value))
      return name === "class" && !Object.hasOwn(value, name) ? classOf(received) : ownValue(value, name);
    if (name === "class" || name === "getClass") return classOf(received);
    const found = detail(value, name);
    if (found !== undefined) return found;
    throw noMethod(name, received);
  };
}

const none: readonly unknown[] = [];

function callStep(step: PathStep & { readonly kind: "call" }, call: Call): Follow {
  const { name } = step;
  // For a map, a bean's getter reads the key: `getName()`.
  const key = /^(?:get|is)[A-Z]/.test(name) ? lowerFirst(name.replace(/^(?:get|is)/, "")) : undefined;
  if (!methodNames.has(name) && key === undefined) {
    throw new ExpressionSyntaxError(`no value has a method ${name}()${suggestion(name, methodNames)}`, step.index);
  }
  const args = step.arguments.map((argument) =>
    argument.quoted || hasFunction(argument.text) ? evalOf(call, argument) : literal(argument.text),
  );
  return (received, exchange, body) => {
    let value = receiver(received);
    let method = methodsOf(value).get(name);
    // Methods that a list or a map does not have may exist for its JSON text.
    if (received instanceof JsonText && (method === undefined || name === "toString")) {
      value = received.text;
      method = methodsOf(value).get(name);
    }
    if (method === undefined) {
      if (args.length === 0 && name === "getClass") return classOf(received);
      const inner = asValue(received);
      if (args.length === 0 && key !== undefined && isPlainObject(inner)) return ownValue(inner, key);
      const found = args.length === 0 && key !== undefined ? detail(inner, key) : undefined;
      if (found !== undefined) return found;
      throw noMethod(name, received);
    }
    if (args.length < method.least || args.length > method.most) {
      throw new FlowException(
        "org.apache.camel.component.bean.MethodNotFoundException",
        `${name}() takes ${method.least === method.most ? method.least : `${method.least} to ${method.most}`} arguments, not ${args.length}`,
      );
    }
    const values = args.length === 0 ? none : args.map((argument) => argument(exchange, body));
    return method.run(value, values, maxBytes(exchange));
  };
}

/** Reads an unquoted argument: a number, `true`, `false`, `null`, or the text itself. */
function literal(text: string): Eval {
  const number = /^-?(?:\d{1,1000}|\d{1,15}\.\d{1,15})$/.test(text) ? numberOf(text) : undefined;
  const value = number ?? (text === "true" ? true : text === "false" ? false : text === "null" ? null : text);
  return () => value;
}

/** Returns the value to follow a step from: the content of a JSON object or list, else the text, which has methods. */
function receiver(value: unknown): unknown {
  if (!(value instanceof JsonText)) return asValue(value);
  const inner = asValue(value);
  return typeof inner === "object" && inner !== null ? inner : typeof inner === "string" ? inner : value.text;
}

function classOf(value: unknown): Readonly<Record<string, string>> {
  const name = javaType(value);
  return { name, simpleName: name.slice(name.lastIndexOf(".") + 1) };
}

function noMethod(name: string, value: unknown): FlowException {
  return new FlowException(
    "org.apache.camel.component.bean.MethodNotFoundException",
    `Method with name: ${name} not found on bean of type: ${javaType(value)}`,
  );
}

function getter(prefix: string, name: string): string {
  return `${prefix}${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function lowerFirst(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
