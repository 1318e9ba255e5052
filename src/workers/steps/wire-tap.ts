/**
 * The `wireTap` step (Camel: WireTapReifier, WireTapProcessor). The tap is a separate run, under the route's error
 * handler. That run also evaluates a template of the URI, so that its failures do not affect the message.
 */

import { hasSecret } from "../../shared/secret-mark.ts";
import { formatEndpointUri, parseEndpointUri } from "../engine/endpoint-uri.ts";
import { isInvalidEndpoint } from "../engine/exception.ts";
import { Exchange } from "../engine/exchange.ts";
import { preparing } from "../engine/fan-out-options.ts";
import { Headers } from "../engine/headers.ts";
import { Message } from "../engine/message.ts";
import type { Processor } from "../engine/processor.ts";
import { type DynamicSend, noPooling, sendDynamic, sendWith } from "../engine/send.ts";
import { type CompileContext, defineStep } from "../engine/step.ts";

const noPools = "there are no thread pools here, a tap is a run of its own: leave it out";

export const wireTap = defineStep({
  name: "wireTap",
  docs: "Sends a copy of the message to an endpoint in a run of its own, and goes on at once; what becomes of the copy does not touch the message.",
  short: "uri",
  options: (z, { template, text, flag, integer, processor, refused }) =>
    z.object({
      uri: template("The address that gets the copy; a simple template: `direct:${header.next}`."),
      parameters: z
        .record(
          z.string(),
          template("Options of the endpoint by their names, in place of a query in the `uri`; templates, too."),
        )
        .optional(),
      copy: flag("Sends a copy of the message; with `false` an empty one.").default(true),
      dynamicUri: flag("Reads `${...}` in the address for each message; with `false` the address is fixed.").default(
        true,
      ),
      variableSend: text("The variable that is sent in place of the body.").optional(),
      variableReceive: refused("nothing comes back from a tap: leave it out"),
      ignoreInvalidEndpoint: flag("Sends nothing when the address is none; without this the copy's run fails.").default(
        false,
      ),
      allowedSchemes: text(
        "Components that the address may name, with commas between them: `direct,http`. Without it all may be called.",
      ).optional(),
      cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
      allowOptimisedComponents: refused(noPooling, "true"),
      autoStartComponents: refused(noPooling, "true"),
      onPrepare: processor(
        "Called with the copy before it is sent: an address such as `direct:prepare`, or a bean. Its failure is the tap's.",
      ).optional(),
      executorService: refused(noPools),
    }),
  example: "wireTap: { uri: log:tapped }",
  compile(options, context) {
    const { uri, parameters = {}, copy, dynamicUri, variableSend } = options;
    const query = Object.entries(parameters).map(([name, { text }]) => [name, text] as const);
    const dynamic = dynamicUri && /[$]\{|[$]simple\{/.test([uri.text, ...query.map(([, value]) => value)].join(" "));
    const written = dynamic ? withQuery(uri.text, query) : staticUri(uri.text, query);
    const send = dynamic
      ? sendDynamic({ ...uri, text: written }, options, context)
      : sendStatic(written, options, context);
    const process = context.entry(
      context.guard(preparing(options, context)(sendWith(send, { variableSend }, context.useVariable))),
    );
    return (exchange) => {
      const kept = copy ? exchange.copyApart() : undefined;
      kept?.properties.delete("CamelCorrelationId");
      void context.begin(context.hold(exchange), {
        cause: "wireTap",
        uri: written,
        exchange(run) {
          const tapped =
            kept?.copy(run) ??
            new Exchange(run, context.routeId, new Message(run.limits, new Headers(run.limits), null));
          tapped.pattern = "InOnly";
          tapped.step = context.stepIndex;
          return tapped;
        },
        process,
        entry: context.stepId,
      });
    };
  },
});

/** The endpoint is made when the flow is compiled, so that an invalid one refuses the flow. */
function sendStatic(
  written: string,
  { ignoreInvalidEndpoint, allowedSchemes }: DynamicSend,
  context: CompileContext,
): Processor {
  try {
    return context.dynamicProducer({ allowedSchemes, from: { language: "constant", text: written } })(written);
  } catch (error) {
    if (ignoreInvalidEndpoint && isInvalidEndpoint(error)) return () => {};
    throw error;
  }
}

function staticUri(uri: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  if (hasSecret(uri)) throw new Error("a secret needs dynamicUri: true, which is the default");
  const { scheme, path, query } = parseEndpointUri(uri.trim());
  return formatEndpointUri(scheme, path, [...query, ...parameters.map(([name, value]) => ({ name, value }))]);
}

function withQuery(uri: string, parameters: readonly (readonly [name: string, value: string])[]): string {
  if (parameters.length === 0) return uri;
  return `${uri}${uri.includes("?") ? "&" : "?"}${parameters.map(([name, value]) => `${name}=${value}`).join("&")}`;
}
