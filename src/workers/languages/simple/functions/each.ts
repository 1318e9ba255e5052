/** `forEach` and `filter`, whose function gets each element as the body. */
import type { Exchange } from "../../../engine/exchange.ts";
import { type Argument, argumentsOf, evalOf } from "../arguments.ts";
import { elementsOf } from "../elements.ts";
import { type Call, checkCount, type Eval, type FunctionTable, Growth, maxBytes } from "../eval.ts";

export const eachFunctions: FunctionTable = {
  forEach: (call) =>
    compileEach(call, (call, argument) => {
      const work = evalOf(call, argument);
      return (elements, apart, max) => {
        const growth = new Growth(max);
        return elements.map((element) => growth.add(work(apart(), element))).filter((out) => (out ?? null) !== null);
      };
    }),
  filter: (call) =>
    compileEach(call, (call, argument) => {
      const test = call.scope.predicate(argument.text, argument.index);
      return (elements, apart) => elements.filter((element) => test(apart(), element));
    }),
};

/** `apart` returns the exchange for the next element; `max`: the most bytes of all results. */
type ElementWork = (elements: readonly unknown[], apart: () => Exchange, max: number) => readonly unknown[];

/** Functions that write. Their changes are visible only for the same element (Camel). */
const writes = /\b(?:set(?:Header|Variable)|(?:list|map)(?:Add|Remove))\(/;

/** `name(exp,function)`: the function gets each element as the body. */
function compileEach(call: Call, compile: (call: Call, argument: Argument) => ElementWork): Eval {
  const { list } = argumentsOf(call, `${call.name}(exp,function)`, 2, 2);
  const value = evalOf(call, list[0]);
  const argument = list[1] as Argument;
  const work = compile(call, argument);
  const apart = writes.test(argument.text);
  return (exchange, body) => {
    const max = maxBytes(exchange);
    const elements = elementsOf(value(exchange, body), max);
    checkCount(elements.length, max);
    return work(elements, () => (apart ? exchange.copy() : exchange), max);
  };
}
