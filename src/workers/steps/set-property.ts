/** The `setProperty` step (Camel: SetPropertyProcessor). */
import { defineStep } from "../engine/step.ts";
import { setProperty as set } from "../engine/variables.ts";

export const setProperty = defineStep({
  name: "setProperty",
  docs: "Sets a property of the exchange; its name is a simple template, case matters, a null value removes it.",
  options: (z, { template, expression }) =>
    z.object({
      name: template("The exchange property's name; a simple template."),
      expression: expression("Gives the property's value."),
    }),
  example: 'setProperty: { name: total, expression: { simple: { expression: "${body}" } } }',
  compile({ name, expression }, context) {
    const nameOf = context.text(name);
    const value = context.expression(expression);
    return (exchange) => {
      const result = value(exchange);
      set(exchange, nameOf(exchange), result);
    };
  },
});
