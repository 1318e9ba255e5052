/** The `step` step (Camel: StepProcessor): a group of steps under one name. */
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";
import { setProperty } from "../engine/variables.ts";

const property = "CamelStepId";

export const step = defineStep({
  name: "step",
  docs: "Groups steps under one id; they find it in the property CamelStepId.",
  options: (z, { steps }) =>
    z.object({ steps: steps("Steps that belong together: the group has an id of its own in traces.").default([]) }),
  example: `step:
  id: prepare
  steps:
    - setBody: { expression: { constant: { expression: "ready" } } }`,
  compile({ steps }, context) {
    const { stepId } = context;
    const inner = context.pipeline(steps);
    return (exchange) => {
      const outer = exchange.properties.get(property);
      exchange.properties.set(property, stepId);
      const pending = inner(exchange);
      if (pending !== undefined) return pending.then(() => leave(exchange, outer));
      leave(exchange, outer);
    };
  },
});

/** As in Camel, the id stays after a failure, so that an error handler can read in which group the exchange failed. */
function leave(exchange: Exchange, outer: unknown): void {
  setProperty(exchange, property, outer);
}
