/** The `filter` step (Camel: FilterProcessor). */
import { defineStep } from "../engine/step.ts";

export const filter = defineStep({
  name: "filter",
  docs: "Runs its steps only for exchanges that match the predicate; the route goes on after it in any case.",
  options: (z, { predicate, steps, text }) =>
    z.object({
      expression: predicate("Which messages go through the steps."),
      steps: steps("What is done with messages that match.").default([]),
      statusPropertyName: text("The exchange property that is set to whether the message matched.").optional(),
    }),
  example: `filter:
  expression:
    simple:
      expression: "\${body} > 100"
  steps:
    - log:
        message: "big"`,
  compile({ expression, steps, statusPropertyName }, context) {
    const matches = context.predicate(expression);
    const inner = context.pipeline(steps);
    if (statusPropertyName === undefined) return (exchange) => (matches(exchange) ? inner(exchange) : undefined);
    return (exchange) => {
      const matched = matches(exchange);
      exchange.properties.set(statusPropertyName, matched);
      return matched ? inner(exchange) : undefined;
    };
  },
});
