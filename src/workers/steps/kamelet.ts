/**
 * The `kamelet` step with steps inside of it (Camel: KameletProcessor). The check makes it, with the kamelet's route; a
 * call without such steps is a `to`.
 */
import { lastly } from "../engine/branch.ts";
import { defineStep } from "../engine/step.ts";

export const kamelet = defineStep({
  name: "kamelet",
  docs: "Calls a kamelet; its steps run where the kamelet has `kamelet:sink`, or else at its end.",
  internal: true,
  options: (z, { endpoint, steps, text }) =>
    z.object({
      endpoint: endpoint("The kamelet's route."),
      sink: text("The name by which the kamelet's route finds the steps."),
      steps: steps("Steps that the kamelet runs."),
    }),
  example: "kamelet: { uri: direct:kamelet-a, sink: a, steps: [{ log: { message: hello } }] }",
  compile({ endpoint, sink: name, steps }, context) {
    const call = context.producer(endpoint);
    const process = context.pipeline(steps);
    return (exchange) => {
      const around = exchange.sink;
      exchange.sink = { name, process, around };
      return lastly(
        () => call(exchange),
        () => {
          exchange.sink = around;
        },
      );
    };
  },
});
