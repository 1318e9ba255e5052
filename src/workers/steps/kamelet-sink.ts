/** `to: kamelet:sink` in the route of a kamelet that others call (Camel: KameletProducer). */
import { lastly } from "../engine/branch.ts";
import { defineStep } from "../engine/step.ts";

export const kameletSink = defineStep({
  name: "kameletSink",
  docs: "Runs the steps that stand inside of the call of the kamelet, if there are any.",
  internal: true,
  options: (z, { text }) => z.object({ name: text("The name of the kamelet's route.") }),
  example: "kameletSink: { name: a }",
  compile:
    ({ name }) =>
    (exchange) => {
      const { sink } = exchange;
      if (sink?.name !== name) return;
      exchange.sink = sink.around;
      return lastly(
        () => sink.process(exchange),
        () => {
          exchange.sink = sink;
        },
      );
    },
});
