/** The `to` step (Camel: SendProcessor). */
import { sendWith } from "../engine/send.ts";
import { defineStep } from "../engine/step.ts";

export const to = defineStep({
  name: "to",
  docs: "Sends the message to an endpoint; its reply, if it has one, becomes the message.",
  short: "endpoint",
  options: (z, { endpoint, oneOf, text }) =>
    z.object({
      endpoint: endpoint(
        "The address that the message is sent to: a component and what it takes, such as `log:orders` or `https://example.org/api`.",
      ),
      pattern: oneOf(
        ["InOnly", "InOut"],
        "`InOut` waits for a reply, `InOnly` does not; by default the message's own.",
      ).optional(),
      variableSend: text("The variable that is sent in place of the body.").optional(),
      variableReceive: text("The variable that gets the reply; the message stays as it is.").optional(),
    }),
  example: `to:
  uri: log:orders
  parameters: { showHeaders: true }`,
  compile({ endpoint, pattern, variableSend, variableReceive }, context) {
    return sendWith(context.producer(endpoint), { pattern, variableSend, variableReceive }, context.useVariable);
  },
});
