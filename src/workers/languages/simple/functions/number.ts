/** Functions on numbers. */

import { exactSum, narrow } from "../../../../shared/whole-numbers.ts";
import { ExpressionSyntaxError, FlowException } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { convertIn } from "../../../engine/message-text.ts";
import { type Argument, argumentsOf, evalOf, requiredIntegerOf } from "../arguments.ts";
import {
  bodyOf,
  type Call,
  checkCount,
  type Eval,
  type FunctionTable,
  maxBytes,
  type SimpleFunction,
} from "../eval.ts";
import { elementsOf } from "./collection.ts";

export const numberFunctions: FunctionTable = {
  abs: ofNumber((number) => (number < 0 ? narrow(-BigInt(number)) : number), "java.lang.Long"),
  ceil: ofNumber((number) => Math.ceil(Number(number)), "java.lang.Double"),
  floor: ofNumber((number) => Math.floor(Number(number)), "java.lang.Double"),
  sum: ofNumbers(sumOf),
  average: ofNumbers((numbers) => narrow(BigInt(sumOf(numbers)) / BigInt(numbers.length))),
  min: ofNumbers((numbers) => numbers.reduce((least, number) => (number < least ? number : least))),
  max: ofNumbers((numbers) => numbers.reduce((most, number) => (number > most ? number : most))),
  random,
  range,
};

type Whole = number | bigint;

function sumOf(numbers: readonly Whole[]): Whole {
  return numbers.reduce<Whole>(exactSum, 0);
}

function ofNumber(work: (number: Whole) => Whole, type: string): SimpleFunction {
  return (call) => {
    const { list } = argumentsOf(call, `${call.name}(exp)`, 0, 1);
    const value = evalOf(call, list[0]);
    return (exchange, body) => {
      const number = convertIn(exchange, value(exchange, body), type);
      return typeof number === "number" || typeof number === "bigint" ? work(number) : null;
    };
  };
}

/**
 * Applies `work` to the numbers of all arguments and of the lists among them, each as a whole number (Camel). Other
 * values are ignored; without numbers the result is null.
 */
function ofNumbers(work: (numbers: readonly Whole[]) => Whole): SimpleFunction {
  return (call) => {
    const { list } = argumentsOf(call, `${call.name}(exp,exp,...)`, 0, Number.POSITIVE_INFINITY);
    const values = list.length === 0 ? [bodyOf] : list.map((argument) => evalOf(call, argument));
    return (exchange, body) => {
      const numbers: Whole[] = [];
      for (const value of values) {
        for (const element of elementsOf(value(exchange, body), maxBytes(exchange))) {
          const number = wholeNumber(element, exchange);
          if (number !== undefined) numbers.push(number);
        }
        checkCount(numbers.length, maxBytes(exchange));
      }
      return numbers.length === 0 ? null : work(numbers);
    };
  };
}

function wholeNumber(value: unknown, exchange: Exchange): Whole | undefined {
  try {
    const number = convertIn(exchange, value, "java.lang.Long");
    return typeof number === "number" || typeof number === "bigint" ? number : undefined;
  } catch (error) {
    if (error instanceof FlowException && error.type === "org.apache.camel.TypeConversionException") return undefined;
    throw error;
  }
}

/** `random(max)`, `random(min,max)`: the result is less than max. */
function random(call: Call): Eval {
  const { list } = argumentsOf(call, "random(max)} or ${random(min,max)", 1, 2);
  const least = list.length === 2 ? requiredIntegerOf(call, list[0] as Argument) : () => 0;
  const most = requiredIntegerOf(call, list.at(-1) as Argument);
  return (exchange, body) => {
    const from = least(exchange, body);
    const to = most(exchange, body);
    if (to > from) return from + Math.floor(Math.random() * (to - from));
    throw new FlowException(
      "java.lang.IllegalArgumentException",
      `random(${from},${to}): the bound is not above the start`,
    );
  };
}

/** `range(min,max)` excludes max; `range(max)` begins at 1; an empty range is null. */
function range(call: Call): Eval {
  const { list } = argumentsOf(call, "range(max)} or ${range(min,max)", 1, 2);
  if (list.some((argument) => argument.text === "")) {
    throw new ExpressionSyntaxError("range needs whole numbers", call.index);
  }
  const least = list.length === 2 ? requiredIntegerOf(call, list[0] as Argument) : () => 1;
  const most = requiredIntegerOf(call, list.at(-1) as Argument);
  return (exchange, body) => {
    const from = least(exchange, body);
    const count = Math.max(0, most(exchange, body) - from);
    checkCount(count, maxBytes(exchange));
    return count === 0 ? null : Array.from({ length: count }, (_, at) => from + at);
  };
}
