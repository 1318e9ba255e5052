/** The `recipientList` step (Camel: RecipientListProcessor). */

import { findStrategy, useLatest } from "../engine/aggregation-strategy.ts";
import { asText } from "../engine/convert.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { FlowException, isInvalidEndpoint, limitExceeded } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Branch, branchOf, type FanOut, fanOut } from "../engine/fan-out.ts";
import { aggregationOptions, branchWords, fanOutOf, preparing } from "../engine/fan-out-options.ts";
import { partsOf } from "../engine/parts.ts";
import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";

interface Recipient {
  readonly uri: string;
  readonly send: Processor;
}

export const recipientList = defineStep({
  name: "recipientList",
  docs: "Sends a copy of the message to each endpoint that its expression names; the last reply, or what the aggregationStrategy makes of all, becomes the message.",
  options: (z, slots) => {
    const { expression, text, flag, integer } = slots;
    return z.object({
      expression: expression("Gives the addresses: a list, or a text such as `direct:a,direct:b`."),
      delimiter: text("What stands between two addresses of a text.").default(","),
      ignoreInvalidEndpoints: flag(
        "Leaves out an address that is none; without this the message fails before any is called.",
      ).default(false),
      allowedSchemes: text(
        "Components that the addresses may name, with commas between them: `direct,mock`. Without it all may be called.",
      ).optional(),
      cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
      ...aggregationOptions(slots, branchWords),
    });
  },
  example: `recipientList:
  expression:
    simple:
      expression: "mock:a,mock:\${header.name}"`,
  compile({ expression, delimiter, ignoreInvalidEndpoints, allowedSchemes, cacheSize, ...options }, context) {
    const value = context.expression(expression);
    const strategy = findStrategy(options.aggregationStrategy, context.bean) ?? useLatest;
    const how = fanOutOf(options, strategy, `recipientList at line ${context.line}`);
    const producer = context.dynamicProducer({ allowedSchemes, cacheSize, from: expression, several: true });
    const prepared = preparing(options, context);
    const { splitItems } = context.limits;
    // Resolves all recipients before the first is called, so that an invalid one fails the step before any call.
    const recipients = (exchange: Exchange): Recipient[] => {
      const found: Recipient[] = [];
      for (const part of partsOf(value(exchange), delimiter, splitItems)) {
        if (found.length === splitItems) {
          throw limitExceeded("splitItems", `a recipientList has at most ${splitItems} recipients`);
        }
        const uri = asText(part).trim();
        try {
          if (uri === "")
            throw new FlowException("java.lang.IllegalArgumentException", "uri must be specified and not empty");
          found.push({ uri: camelUri(uri), send: prepared(context.guard(producer(uri))) });
        } catch (error) {
          if (!ignoreInvalidEndpoints || !isInvalidEndpoint(error)) throw error;
        }
      }
      return found;
    };
    return (exchange) => fanOut(exchange, branches(exchange, recipients(exchange), how), how);
  },
});

function* branches(original: Exchange, recipients: readonly Recipient[], how: FanOut): Iterator<Branch> {
  for (const [index, { uri, send }] of recipients.entries()) {
    const exchange = branchOf(original, how, [
      ["CamelMulticastIndex", index],
      ["CamelMulticastComplete", index === recipients.length - 1],
      ["CamelRecipientListEndpoint", uri],
    ]);
    if (original.original !== undefined) exchange.keepOriginal();
    yield { exchange, process: send };
  }
}
