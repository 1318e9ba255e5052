/** The `setVariable` step (Camel: SetVariableProcessor). */
import { defineStep } from "../engine/step.ts";
import { requireSettable, setVariable as set } from "../engine/variables.ts";

export const setVariable = defineStep({
  name: "setVariable",
  docs: "Sets a variable of the exchange; its name is a simple template, case matters, a null value removes it.",
  options: (z, { template, expression }) =>
    z.object({
      name: template("The variable's name; a simple template."),
      expression: expression("Gives the variable's value."),
    }),
  example: 'setVariable: { name: customer, simple: "${body}" }',
  compile({ name, expression }, context) {
    requireSettable(name.text);
    const nameOf = context.text(name);
    const value = context.expression(expression);
    return (exchange) => {
      const result = value(exchange);
      set(exchange, nameOf(exchange), result);
    };
  },
});
