/** The `setVariables` step (Camel: SetVariablesProcessor). */
import { defineStep } from "../engine/step.ts";
import { requireSettable, setVariable as set } from "../engine/variables.ts";

export const setVariables = defineStep({
  name: "setVariables",
  docs: "Sets several variables in order; later expressions see earlier variables.",
  options: (z, { clause, template, expression }) =>
    z.object({
      variables: z
        .array(
          clause(
            {
              name: template(
                "The variable's name; a simple template. `global:` and `route:` stand in front as in `setVariable`.",
              ),
              expression: expression("Gives the variable's value, and sees the variables above it."),
            },
            "The variables, set in their order.",
          ),
        )
        .min(1),
    }),
  example: `setVariables:
  variables:
    - { name: first, expression: { constant: { expression: "1" } } }
    - { name: second, expression: { simple: { expression: "\${variable.first}2" } } }`,
  compile({ variables }, context) {
    const entries = variables.map(({ name, expression }) => {
      requireSettable(name.text, context.useVariable);
      return { nameOf: context.text(name), value: context.expression(expression) };
    });
    return (exchange) => {
      for (const { nameOf, value } of entries) {
        const result = value(exchange);
        set(exchange, nameOf(exchange), result);
      }
    };
  },
});
