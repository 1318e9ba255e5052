/** The functions of Jayway's paths (com.jayway.jsonpath.internal.function 2.10), on values of JSON. */

import { listed } from "../../../shared/suggest.ts";
import { exactSum } from "../../../shared/whole-numbers.ts";
import { ExpressionSyntaxError, FlowException } from "../../engine/exception.ts";

type Numeric = number | bigint;

/** An argument of a call. Its values throw PathNotFoundException for a path without a value. */
export interface Argument {
  /** The value that is written, or that the path has in the whole document. */
  value(): unknown;
  /** The values below those of the path, in `model`; undefined for an argument that is no path. */
  children(model: unknown): readonly unknown[] | undefined;
}

/** Computes a result from the value before the call, and the arguments. Changes neither. Throws FlowException. */
type PathFunction = (model: unknown, args: readonly Argument[], asText: (value: unknown) => string) => unknown;

const count: PathFunction = (model, [path]) => {
  const children = path?.children(model);
  if (children !== undefined) return children.length;
  if (Array.isArray(model)) return model.length;
  return isMap(model) ? Object.keys(model).length : null;
};

const at =
  (indexOf: (args: readonly Argument[]) => number): PathFunction =>
  (model, args) => {
    if (!Array.isArray(model)) throw nothingToCount();
    const index = indexOf(args);
    const real = index < 0 ? model.length + index : index;
    if (real < 0) throw jsonPathException(`Target index:${index} larger than object count:${model.length}`);
    if (real < model.length) return model[real] ?? null;
    throw new FlowException(
      "java.lang.IndexOutOfBoundsException",
      `Index ${real} out of bounds for length ${model.length}`,
    );
  };

const functions: Readonly<Record<string, PathFunction>> = {
  length: count,
  size: count,
  min: (model, args) => numbers(model, args).reduce((least, one) => (one < least ? one : least)),
  max: (model, args) => numbers(model, args).reduce((greatest, one) => (one > greatest ? one : greatest)),
  sum: (model, args) => numbers(model, args).reduce<Numeric>(exactSum, 0),
  avg: (model, args) => mean(numbers(model, args).map(Number)),
  stddev(model, args) {
    const all = numbers(model, args).map(Number);
    const squares = mean(all.map((one) => one * one));
    const sum = all.reduce((total, one) => total + one, 0);
    // As Jayway calculates it, to the last digit; rounding may lead below zero.
    return Math.sqrt(Math.max(0, squares - (sum * sum) / all.length / all.length));
  },
  concat: (model, args, asText) =>
    [...elements(model).filter(isText), ...args.flatMap((one) => texts(one, asText))].join(""),
  append: (model, args) => (Array.isArray(model) ? [...model, ...args.map((one) => one.value())] : model),
  keys: (model) => (isMap(model) ? Object.keys(model) : null),
  first: at(() => 0),
  last: at(() => -1),
  index: at((args) => {
    const [index] = args.flatMap(numeric);
    if (index !== undefined) return Math.trunc(Number(index));
    throw new FlowException("java.lang.IndexOutOfBoundsException", "Index 0 out of bounds for length 0");
  }),
};

/** Jayway ignores other arguments, or fails in each run. */
const fixedArguments: Readonly<Record<string, number>> = { keys: 0, first: 0, last: 0, index: 1 };

/** Returns why the function cannot have these arguments; undefined when it can. */
export function argumentsProblem(name: string, count: number): string | undefined {
  const fixed = fixedArguments[name];
  if (fixed === undefined || fixed === count) return undefined;
  return fixed === 0 ? `${name}() takes no arguments` : `${name}() takes one argument, such as ${name}(0)`;
}

export const functionNames: readonly string[] = Object.keys(functions);

/** Throws ExpressionSyntaxError for another name. `at`: its index in the text. */
export function knownFunction(name: string, at: number): string {
  if (functionNames.includes(name)) return name;
  throw new ExpressionSyntaxError(`there is no function '${name}()': there are ${listed(functionNames)}`, at);
}

/**
 * `name`: one of `functionNames`. `asText`: renders a value as Java does, within bounds. Throws FlowException for values
 * that the function has no result for.
 */
export function callFunction(name: string, ...[model, args, asText]: Parameters<PathFunction>): unknown {
  return (functions[name] as PathFunction)(model, args, asText);
}

function isMap(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is Numeric {
  return typeof value === "number" || typeof value === "bigint";
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the numbers of an argument that is a number or a list. */
function numeric(argument: Argument): readonly Numeric[] {
  const value = argument.value();
  return (Array.isArray(value) ? value : [value]).filter(isNumber);
}

/** Returns the value of an argument, or the elements of its list, as texts without nulls. */
function texts(argument: Argument, asText: (value: unknown) => string): readonly string[] {
  const value = argument.value();
  return (Array.isArray(value) ? value : [value]).filter((one) => one !== null).map(asText);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Throws JsonPathException when there is no number among the elements and the arguments. */
function numbers(model: unknown, args: readonly Argument[]): readonly Numeric[] {
  const found = [...elements(model).filter(isNumber), ...args.flatMap(numeric)];
  if (found.length > 0) return found;
  throw nothingToCount();
}

function nothingToCount(): FlowException {
  return jsonPathException("Aggregation function attempted to calculate value using empty array");
}

export function jsonPathException(message: string): FlowException {
  return new FlowException("com.jayway.jsonpath.JsonPathException", message);
}
