/** The `setVariable` step (Camel: SetVariableProcessor). */
import { defineStep } from "../engine/step.ts";
import { requireSettable, setVariable as set } from "../engine/variables.ts";

export const setVariable = defineStep({
  name: "setVariable",
  docs: "Sets a variable of the exchange, or with `global:` or `route:` in front one that all runs of the flow share; case matters, a null value removes it.",
  options: (z, { template, expression }) =>
    z.object({
      name: template(
        "The variable's name; a simple template. `global:name` is shared by the flow's runs, `route:id:name` by a route's, until the flow is replaced; such a flow has one thread.",
      ),
      expression: expression("Gives the variable's value."),
    }),
  example: 'setVariable: { name: customer, expression: { simple: { expression: "${body}" } } }',
  compile({ name, expression }, context) {
    requireSettable(name.text, context.useVariable);
    const nameOf = context.text(name);
    const value = context.expression(expression);
    return (exchange) => {
      const result = value(exchange);
      set(exchange, nameOf(exchange), result);
    };
  },
});
