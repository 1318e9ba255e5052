/** The `setBody` step (Camel: SetBodyProcessor). */
import { defineStep } from "../engine/step.ts";

export const setBody = defineStep({
  name: "setBody",
  docs: "Replaces the message's body with the expression's value; headers stay.",
  options: (z, { expression }) => z.object({ expression: expression("Gives the new body.") }),
  example: 'setBody: { expression: { simple: { expression: "Hello ${header.name}" } } }',
  compile({ expression }, context) {
    const value = context.expression(expression);
    return (exchange) => {
      exchange.message.body = value(exchange) ?? null;
    };
  },
});
