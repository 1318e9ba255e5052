/** The `toD` step (Camel: SendDynamicProcessor): `to` with a URI that is a simple template. */
import { noPooling, sendDynamic, sendWith } from "../engine/send.ts";
import { defineStep } from "../engine/step.ts";

export const toD = defineStep({
  name: "toD",
  docs: "Sends the message to the endpoint that its URI, a simple template, names for this message; a blank one sends nothing.",
  short: "uri",
  options: (z, { template, oneOf, text, flag, integer, refused }) =>
    z.object({
      uri: template("The address; a simple template: `direct:${header.next}`. A blank one sends nothing."),
      parameters: z
        .record(
          z.string(),
          template("Options of the endpoint by their names, in place of a query in the `uri`; templates, too."),
        )
        .optional(),
      pattern: oneOf(
        ["InOnly", "InOut"],
        "`InOut` waits for a reply, `InOnly` does not; by default the message's own.",
      ).optional(),
      variableSend: text("The variable that is sent in place of the body.").optional(),
      variableReceive: text("The variable that gets the reply; the message stays as it is.").optional(),
      ignoreInvalidEndpoint: flag("Sends nothing when the address is none; without this the message fails.").default(
        false,
      ),
      allowedSchemes: text(
        "Components that the address may name, with commas between them: `direct,http`. Without it all may be called.",
      ).optional(),
      cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
      allowOptimisedComponents: refused(noPooling, "true"),
      autoStartComponents: refused(noPooling, "true"),
    }),
  example: 'toD: { uri: "mock:${header.name}" }',
  compile({ uri, parameters, pattern, variableSend, variableReceive, ...options }, context) {
    const query = Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${value.text}`);
    const send = sendDynamic(query.length === 0 ? uri : { ...uri, text: withQuery(uri.text, query) }, options, context);
    return sendWith(send, { pattern, variableSend, variableReceive }, context.useVariable);
  },
});

function withQuery(uri: string, query: readonly string[]): string {
  return `${uri}${uri.includes("?") ? "&" : "?"}${query.join("&")}`;
}
