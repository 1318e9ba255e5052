/** The `choice` step (Camel: ChoiceProcessor). */
import { defineStep } from "../engine/step.ts";

export const choice = defineStep({
  name: "choice",
  docs: "Runs the steps of the first `when` whose predicate is true, else those of `otherwise`, else nothing.",
  options: (z, { clause, predicate, steps, flag }) =>
    z.object({
      when: z.array(clause({ expression: predicate, steps: steps.default([]) })).default([]),
      otherwise: clause({ steps: steps.default([]) }).optional(),
      precondition: flag
        .refine(
          (on) => !on,
          "a choice that is decided when the route is built is not possible yet: leave out precondition",
        )
        .optional(),
    }),
  example: `choice:
  when:
    - { simple: "\${body} > 100", steps: [{ log: "big" }] }
    - { simple: "\${body} > 10", steps: [{ log: "middling" }] }
  otherwise:
    steps: [{ log: "small" }]`,
  compile({ when, otherwise }, context) {
    const { stepIndex } = context;
    const branches = when.map(({ expression, steps }) => ({
      matches: context.predicate(expression),
      inner: context.pipeline(steps),
    }));
    const last = otherwise === undefined ? undefined : context.pipeline(otherwise.steps);
    return (exchange) => {
      for (let i = 0; i < branches.length; i++) {
        const { matches, inner } = branches[i] as (typeof branches)[number];
        if (matches(exchange)) {
          exchange.run.branchTaken(stepIndex, i);
          return inner(exchange);
        }
      }
      if (last === undefined) return;
      exchange.run.branchTaken(stepIndex, -1);
      return last(exchange);
    };
  },
});
