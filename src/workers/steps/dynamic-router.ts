/** The `dynamicRouter` step (Camel: DynamicRouter). */
import { slip, slipOptions } from "../engine/slip.ts";
import { defineStep } from "../engine/step.ts";

export const dynamicRouter = defineStep({
  name: "dynamicRouter",
  docs: "Sends the message to the endpoint that its expression names, and asks it again after each, until it names none.",
  options: (z, slots) =>
    slipOptions(
      z,
      slots,
      "Gives the next address, or several; it is asked again after them, until it gives null or nothing.",
    ),
  example: `dynamicRouter:
  expression:
    simple:
      expression: "\${exchangeProperty.CamelSlipEndpoint} == null ? 'log:first' : \${null}"`,
  compile: (options, context) => slip(context.expression(options.expression), true, options, context),
});
