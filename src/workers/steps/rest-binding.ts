/**
 * What Camel does around a service of `rest` (RestBindingAdvice, DefaultRestClientRequestValidator 4.22): defaults of parameters,
 * validation of the request, JSON bodies as values and back, Content-Type, CORS headers. No text names it: `rest` is made of it.
 */
import { asText } from "../engine/convert.ts";
import type { Exchange } from "../engine/exchange.ts";
import { lastly } from "../engine/lastly.ts";
import { defineStep } from "../engine/step.ts";
import { bindReply, bindRequest } from "./rest/bind-json.ts";
import { addCors } from "./rest/cors.ts";
import { type Rejection, rejectionOf } from "./rest/validate-request.ts";

export const restBinding = defineStep({
  name: "restBinding",
  docs: "Stands around the steps of a rest service: parameters, validation, JSON bodies and CORS headers.",
  internal: true,
  ownErrors: true,
  options: (z, { flag, oneOf, steps, text }) =>
    z.object({
      bindingMode: oneOf(["off", "auto", "json"]).default("off"),
      consumes: text().optional(),
      produces: text().optional(),
      validate: flag().default(false),
      skipBindingOnErrorCode: flag().default(true),
      enableNoContentResponse: flag().default(false),
      /** Present: the service has CORS; what is not configured has Camel's defaults. */
      cors: z.record(z.string(), text()).optional(),
      /** It answers OPTIONS: nothing is bound. */
      preflight: flag().default(false),
      defaults: z.record(z.string(), text()).optional(),
      allowed: z.record(z.string(), z.array(text())).optional(),
      requiredQuery: z.array(text()).default([]),
      requiredHeaders: z.array(text()).default([]),
      requiredBody: flag().default(false),
      steps: steps(),
    }),
  example: "restBinding: { steps: [{ log: hello }] }",
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

/** The request goes no further; the answer is the message. */
function reject(exchange: Exchange, { status, text }: Rejection): void {
  exchange.message.headers.set("CamelHttpResponseCode", status);
  exchange.message.body = text;
  exchange.stopped = true;
}

function lower(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : asText(value).toLowerCase();
}
