/** The `choice` step (Camel: ChoiceProcessor). */
import { blankExchange } from "../engine/blank-exchange.ts";
import { defineStep } from "../engine/step.ts";

export const choice = defineStep({
  name: "choice",
  docs: "Runs the steps of the first `when` whose predicate is true, else those of `otherwise`, else nothing; with precondition it is decided once, when the flow is built.",
  options: (z, { clause, predicate, steps, flag }) =>
    z.object({
      when: z
        .array(
          clause(
            {
              expression: predicate("The condition of the branch."),
              steps: steps("What is done when the condition holds.").default([]),
            },
            "The branches, tried in their order: the first one that matches is taken.",
          ),
        )
        .default([]),
      otherwise: clause(
        { steps: steps("What is done with messages that match no branch.").default([]) },
        "The branch for messages that none of `when` matches.",
      ).optional(),
      precondition: flag(
        "Decides once, when the flow is built, by parameters alone: `simple: '{{mode}} == 1'`. The other branches do not exist then.",
      ).default(false),
    }),
  example: `choice:
  when:
    - { expression: { simple: { expression: "\${body} > 100" } }, steps: [{ log: { message: "big" } }] }
    - { expression: { simple: { expression: "\${body} > 10" } }, steps: [{ log: { message: "middling" } }] }
  otherwise:
    steps: [{ log: { message: "small" } }]`,
  compile({ when, otherwise, precondition }, context) {
    const { stepIndex } = context;
    if (precondition) {
      const blank = blankExchange(context.limits);
      const chosen = when.find(({ expression }) => context.predicate(expression)(blank)) ?? otherwise;
      return context.pipeline(chosen?.steps ?? []);
    }
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
