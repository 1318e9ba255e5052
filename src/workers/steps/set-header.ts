/** The `setHeader` step (Camel: SetHeaderProcessor). */
import { defineStep } from "../engine/step.ts";

export const setHeader = defineStep({
  name: "setHeader",
  docs: "Sets a header of the message; its name is a simple template, a null value is kept as null.",
  options: (z, { template, expression }) =>
    z.object({
      name: template("The header's name; a simple template."),
      expression: expression("Gives the header's value; null stays as null."),
    }),
  example: 'setHeader: { name: orderId, expression: { simple: { expression: "${body}" } } }',
  compile({ name, expression }, context) {
    const nameOf = context.text(name);
    const value = context.expression(expression);
    return (exchange) => {
      const result = value(exchange) ?? null;
      exchange.message.headers.set(nameOf(exchange), result);
    };
  },
});
