/** The `loop` step (Camel: LoopProcessor). */

import { lastly, repeat, runBranch, takeBranch } from "../engine/branch.ts";
import { noConverter } from "../engine/conversion.ts";
import { asText, convertTo } from "../engine/convert.ts";
import { limitExceeded } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { preparing } from "../engine/fan-out-options.ts";
import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";

/** Whether another turn follows; `index` counts from 0. */
type GoesOn = (current: Exchange, index: number) => boolean;

export const loop = defineStep({
  name: "loop",
  docs: "Runs its steps as often as its expression says, or with doWhile as long as its predicate is true.",
  options: (z, { expression, flag, processor, steps }) =>
    z.object({
      expression: expression(
        "How many turns there are; with `doWhile` the condition under which there is another one.",
      ),
      copy: flag(
        "Each turn begins with the message as it came into the loop; without this with what the turn before left.",
      ).default(false),
      doWhile: flag("Goes on as long as the expression is true, which is asked before each turn.").default(false),
      breakOnShutdown: flag("Takes no further turn once the flow is being stopped or replaced.").default(false),
      onPrepare: processor(
        "Called before each turn, and may change the message: an address such as `direct:prepare`, or a bean.",
      ).optional(),
      steps: steps("What is done in each turn; the property CamelLoopIndex counts them from 0.").default([]),
    }),
  example: `loop:
  expression:
    constant:
      expression: "3"
  steps:
    - log:
        message: "turn \${exchangeProperty.CamelLoopIndex}"`,
  compile({ expression, copy, doWhile, breakOnShutdown, steps, ...options }, context) {
    let halted = false;
    if (breakOnShutdown) {
      context.atHalt(() => {
        halted = true;
      });
    }
    const most = context.limits.loopIterations;
    const inner = preparing(options, context)(context.pipeline(steps));
    const turns = copy ? copies(inner) : inPlace(inner);
    if (doWhile) {
      const matches = context.predicate(expression);
      return (exchange) =>
        turns(exchange, (current, index) => matches(current) && !halted && withinLimit(index + 1, most));
    }
    const value = context.expression(expression);
    return (exchange) => {
      // Camel converts through text, so any text that is a number counts; other values fail, also null.
      const count = value(exchange);
      if (count === null || count === undefined) throw noConverter(count, "int");
      const size = convertTo(asText(count), "java.lang.Integer") as number;
      withinLimit(size, most);
      exchange.properties.set("CamelLoopSize", size);
      return turns(exchange, (_, index) => index < size && !halted);
    };
  },
});

/** Each turn continues with the result of the previous one. */
function inPlace(inner: Processor) {
  return (exchange: Exchange, goesOn: GoesOn): void | Promise<void> => {
    let index = 0;
    return repeat(exchange.run, () => {
      if (exchange.stopped || !goesOn(exchange, index)) return false;
      exchange.properties.set("CamelLoopIndex", index++);
      const pending = inner(exchange);
      return pending === undefined ? true : pending.then(() => true);
    });
  };
}

/** Each turn begins with the exchange as the loop received it; the last turn's becomes the result. */
function copies(inner: Processor) {
  return (exchange: Exchange, goesOn: GoesOn): void | Promise<void> => {
    let index = 0;
    let current = exchange;
    const turns = (): void | Promise<void> =>
      repeat(exchange.run, () => {
        if (current.stopped || !goesOn(current, index)) return false;
        current = exchange.copy();
        current.properties.set("CamelLoopIndex", index++);
        const pending = runBranch(inner, current);
        return pending === undefined ? true : pending.then(() => true);
      });
    return lastly(turns, () => takeBranch(exchange, current));
  };
}

function withinLimit(size: number, most: number): true {
  if (size <= most) return true;
  throw limitExceeded("loopIterations", `a loop has at most ${most} turns`);
}
