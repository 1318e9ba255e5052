/** The `routingSlip` step (Camel: RoutingSlip). */
import { slip, slipOptions } from "../engine/slip.ts";
import { defineStep } from "../engine/step.ts";

export const routingSlip = defineStep({
  name: "routingSlip",
  docs: "Sends the message through the endpoints that its expression names, one after another.",
  options: (z, slots) => slipOptions(z, slots, "Gives the addresses, visited one after another: `direct:a,direct:b`."),
  example: 'routingSlip: { expression: { constant: { expression: "log:first,log:second" } } }',
  compile: (options, context) => slip(context.expression(options.expression), false, options, context),
});
