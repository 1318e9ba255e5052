/** The `script` step (Camel: ScriptProcessor). */
import { defineStep } from "../engine/step.ts";

export const script = defineStep({
  name: "script",
  docs: "Evaluates an expression for what it does to the exchange; its value is dropped.",
  options: (z, { expression }) =>
    z.object({ expression: expression("What is run for its effect on the message; its value is not used.") }),
  example: `script: { expression: { js: { expression: "message.setHeader('total', 2 * 3)" } } }`,
  compile({ expression }, context) {
    const evaluate = context.expression(expression);
    return (exchange) => {
      evaluate(exchange);
    };
  },
});
