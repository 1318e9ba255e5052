/** The `delay` step (Camel: Delayer). */
import { convertTo } from "../engine/convert.ts";
import { defineStep } from "../engine/step.ts";
import { wait } from "../engine/waiting.ts";

const noPools = "there are no thread pools here: leave the option out";

export const delay = defineStep({
  name: "delay",
  docs: "Waits as many milliseconds as its expression says, without holding the thread; a cancelled run stops waiting.",
  options: (z, { expression, flag, only, idle, refused }) =>
    z.object({
      expression: expression("How long the message waits, in milliseconds."),
      asyncDelayed: idle(flag, "waiting never holds a thread here"),
      callerRunsWhenRejected: only(true, noPools),
      executorService: refused(noPools),
    }),
  example: 'delay: { expression: { constant: { expression: "20" } } }',
  compile({ expression }, context) {
    const value = context.expression(expression);
    return (exchange) => {
      const ms = convertTo(value(exchange), "java.lang.Long");
      if (Number(ms) > 0) return wait(Number(ms), exchange.run.signal);
    };
  },
});
