/** Sends a message to endpoints one after another (Camel: RoutingSlip, DynamicRouter). */

import type { ExpressionModel } from "../../shared/flow-model.ts";
import { repeat } from "./branch.ts";
import { asText } from "./convert.ts";
import { camelUri } from "./endpoint-uri.ts";
import { isInvalidEndpoint, limitExceeded } from "./exception.ts";
import { partsOf } from "./parts.ts";
import type { Expression, Processor } from "./processor.ts";
import type { Slots, Z } from "./slots.ts";
import type { CompileContext } from "./step.ts";

export interface SlipOptions {
  readonly uriDelimiter: string;
  readonly ignoreInvalidEndpoints: boolean;
  readonly allowedSchemes?: string | undefined;
  readonly cacheSize?: number | undefined;
  /** The model of `expression`. */
  readonly expression: ExpressionModel;
}

/**
 * `again`: evaluates the expression again after its endpoints have been visited, until it yields null or no endpoint.
 */
export function slip(
  expression: Expression,
  again: boolean,
  { uriDelimiter, ignoreInvalidEndpoints, allowedSchemes, cacheSize, expression: from }: SlipOptions,
  context: CompileContext,
): Processor {
  const producer = context.dynamicProducer({ allowedSchemes, cacheSize, from, several: true });
  const most = context.limits.loopIterations;
  const find = (uri: string): Processor | undefined => {
    try {
      return producer(uri);
    } catch (error) {
      if (ignoreInvalidEndpoints && isInvalidEndpoint(error)) return undefined;
      throw error;
    }
  };
  return (exchange) => {
    const ask = (): Iterator<unknown> => partsOf(expression(exchange), uriDelimiter, most)[Symbol.iterator]();
    let left = ask();
    let visited = 0;
    return repeat(exchange.run, () => {
      if (exchange.stopped) return false;
      let next = left.next();
      if (next.done === true && again && visited > 0) {
        left = ask();
        next = left.next();
      }
      if (next.done === true) return false;
      visited += 1;
      if (visited > most) throw tooMany(most);
      const uri = asText(next.value).trim();
      const send = find(uri);
      if (send === undefined) return true;
      exchange.properties.set("CamelToEndpoint", camelUri(uri));
      exchange.properties.set("CamelSlipEndpoint", camelUri(uri));
      // Each visit is redelivered on its own.
      const pending = context.guard(send)(exchange);
      return pending === undefined ? true : pending.then(() => true);
    });
  };
}

function tooMany(most: number): Error {
  return limitExceeded("loopIterations", `a message visits at most ${most} endpoints of one slip`);
}

/** Common options of `routingSlip` and `dynamicRouter`. */
export function slipOptions(z: Z, { expression, text, flag, integer }: Slots, addresses: string) {
  return z.object({
    expression: expression(addresses),
    uriDelimiter: text("What stands between two addresses.").default(","),
    ignoreInvalidEndpoints: flag("Leaves out an address that is none; without this the message fails there.").default(
      false,
    ),
    allowedSchemes: text(
      "Components that the addresses may name, with commas between them: `direct,mock`. Without it all may be called.",
    ).optional(),
    cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
  });
}
