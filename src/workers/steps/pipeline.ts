/** The `pipeline` step (Camel: Pipeline). */
import { defineStep } from "../engine/step.ts";

export const pipeline = defineStep({
  name: "pipeline",
  docs: "Runs its steps one after another, as a route does: it makes one branch of several steps.",
  options: (z, { steps }) => z.object({ steps: steps("Steps that run one after another.").default([]) }),
  example: `pipeline:
  steps:
    - setBody: { expression: { constant: { expression: "one" } } }
    - log:
        message: "\${body}"`,
  compile: ({ steps }, context) => context.pipeline(steps),
});
