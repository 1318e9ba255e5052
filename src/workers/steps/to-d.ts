/** The `toD` step (Camel: SendDynamicProcessor): `to` with a URI that is a simple template. */
import { isInvalidEndpoint } from "../engine/exception.ts";
import type { Processor } from "../engine/processor.ts";
import { noPooling, sendWith } from "../engine/send.ts";
import { defineStep } from "../engine/step.ts";

export const toD = defineStep({
  name: "toD",
  docs: "Sends the message to the endpoint that its URI, a simple template, names for this message; a blank one sends nothing.",
  short: "uri",
  options: (z, { template, oneOf, text, flag, integer, refused }) =>
    z.object({
      uri: template(),
      parameters: z.record(z.string(), text()).optional(),
      pattern: oneOf(["InOnly", "InOut"]).optional(),
      variableSend: text().optional(),
      variableReceive: text().optional(),
      ignoreInvalidEndpoint: flag().default(false),
      allowedSchemes: text().optional(),
      cacheSize: integer().optional(),
      allowOptimisedComponents: refused(noPooling, "true"),
      autoStartComponents: refused(noPooling, "true"),
    }),
  example: 'toD: "mock:${header.name}"',
  compile(
    { uri, parameters, pattern, variableSend, variableReceive, ignoreInvalidEndpoint, allowedSchemes, cacheSize },
    context,
  ) {
    const query = Object.entries(parameters ?? {}).map(([name, value]) => `${name}=${value}`);
    const written = context.text(query.length === 0 ? uri : { ...uri, text: withQuery(uri.text, query) });
    const producer = context.dynamicProducer({ allowedSchemes, cacheSize, from: uri });
    const send: Processor = (exchange) => {
      const to = written(exchange).trim();
      if (to === "") return;
      let found: Processor;
      try {
        found = producer(to);
      } catch (error) {
        if (ignoreInvalidEndpoint && isInvalidEndpoint(error)) return;
        throw error;
      }
      return found(exchange);
    };
    return sendWith(send, { pattern, variableSend, variableReceive });
  },
});

function withQuery(uri: string, query: readonly string[]): string {
  return `${uri}${uri.includes("?") ? "&" : "?"}${query.join("&")}`;
}
