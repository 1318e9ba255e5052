/** The `transform` step (Camel: TransformProcessor). With one mutable message it equals setBody. */
import { defineStep } from "../engine/step.ts";

export const transform = defineStep({
  name: "transform",
  docs: "Replaces the message's body with the expression's value, as setBody does.",
  options: (z, { expression }) => z.object({ expression: expression("Gives the new body.") }),
  example: 'transform: { expression: { simple: { expression: "${body} and more" } } }',
  compile({ expression }, context) {
    const value = context.expression(expression);
    return (exchange) => {
      exchange.message.body = value(exchange) ?? null;
    };
  },
});
