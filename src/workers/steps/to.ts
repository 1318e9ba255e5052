/** The `to` step (Camel: SendProcessor). */
import { sendWith } from "../engine/send.ts";
import { defineStep } from "../engine/step.ts";

export const to = defineStep({
  name: "to",
  docs: "Sends the message to an endpoint; its reply, if it has one, becomes the message.",
  short: "endpoint",
  options: (z, { endpoint, oneOf, text }) =>
    z.object({
      endpoint: endpoint(),
      pattern: oneOf(["InOnly", "InOut"]).optional(),
      variableSend: text().optional(),
      variableReceive: text().optional(),
    }),
  example: `to:
  uri: log:orders
  parameters: { showHeaders: true }`,
  compile({ endpoint, pattern, variableSend, variableReceive }, context) {
    return sendWith(context.producer(endpoint), { pattern, variableSend, variableReceive });
  },
});
