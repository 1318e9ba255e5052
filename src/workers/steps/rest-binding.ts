/**
 * The step that expanded `rest` services run, as Camel does around a service (RestBindingAdvice,
 * DefaultRestClientRequestValidator 4.22): defaults of parameters, validation of the request, JSON binding,
 * Content-Type, CORS headers. Texts of flows cannot name it.
 */

import { lastly } from "../engine/branch.ts";
import { asText } from "../engine/convert.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";
import { bindReply, bindRequest } from "./rest-binding/bind-json.ts";
import { addCors } from "./rest-binding/cors.ts";
import { type Rejection, rejectionOf } from "./rest-binding/validate-request.ts";

export const restBinding = defineStep({
  name: "restBinding",
  docs: "Stands around the steps of a rest service: parameters, validation, JSON bodies and CORS headers.",
  internal: true,
  ownErrors: true,
  options: (z, { flag, oneOf, steps, text }) =>
    z.object({
      bindingMode: oneOf(
        ["off", "auto", "json"],
        "Whether JSON bodies become values and back: `off`, `auto` (where a body is JSON) or `json`.",
      ).default("off"),
      consumes: text("The media types that requests come with.").optional(),
      produces: text("The media types of answers.").optional(),
      validate: flag("Answers requests that do not fit with 4xx, before the steps run.").default(false),
      skipBindingOnErrorCode: flag("Leaves the body of an answer with a status of 300 or more as it is.").default(true),
      enableNoContentResponse: flag("Answers 204 when there is no body.").default(false),
      cors: z
        .record(
          z.string(),
          text("Access-Control headers of the answer, by name; what is missing has Camel's defaults."),
        )
        .optional(),
      preflight: flag("Answers OPTIONS: nothing is bound.").default(false),
      defaults: z.record(z.string(), text("Values of parameters that a request leaves out, by name.")).optional(),
      allowed: z.record(z.string(), z.array(text("Values that parameters may have, by name."))).optional(),
      requiredQuery: z.array(text("Parameters that the query must have.")).default([]),
      requiredHeaders: z.array(text("Headers that a request must have.")).default([]),
      requiredBody: flag("Refuses requests without a body.").default(false),
      steps: steps("The steps of the service."),
    }),
  example: "restBinding: { steps: [{ log: { message: hello } }] }",
  compile({ steps, cors, preflight, ...options }, context) {
    const service = context.pipeline(steps);
    const maxBytes = context.limits.messageBodyBytes;
    const finish = (exchange: Exchange): void => {
      if (cors !== undefined) addCors(exchange, cors);
    };
    if (preflight) return finish;
    return (exchange) => {
      const accept = lower(exchange.message.headers.get("Accept"));
      return lastly(
        () => {
          for (const [name, value] of Object.entries(options.defaults ?? {})) {
            if ((exchange.message.headers.get(name) ?? null) === null) exchange.message.headers.set(name, value);
          }
          const rejection = options.validate ? rejectionOf(exchange, options) : undefined;
          if (rejection !== undefined) return reject(exchange, rejection);
          const unbound = bindRequest(exchange, options);
          if (unbound !== undefined) return reject(exchange, unbound);
          const pending = service(exchange);
          const bind = (): void => bindReply(exchange, accept, options, maxBytes);
          if (pending !== undefined) return pending.then(bind);
          bind();
        },
        () => finish(exchange),
      );
    };
  },
});

/** Ends the routing with the rejection as the answer, as a document like those of the runtime's other refusals. */
function reject(exchange: Exchange, { status, text }: Rejection): void {
  const { message } = exchange;
  message.headers.set("CamelHttpResponseCode", status);
  if (text !== null) message.headers.set("Content-Type", "application/json");
  message.body = text === null ? null : JSON.stringify({ error: text });
  exchange.stopped = true;
}

function lower(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : asText(value).toLowerCase();
}
