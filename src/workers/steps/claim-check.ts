/** The `claimCheck` step (Camel: ClaimCheckProcessor): what is put aside belongs to one exchange and goes with it. */
import { claimFilter } from "../engine/claim-filter.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange, Message } from "../engine/exchange.ts";
import { defineStep } from "../engine/step.ts";

const operations = ["Get", "GetAndRemove", "Set", "Push", "Pop"] as const;
const property = "CamelClaimCheckRepository";
/** Messages that one exchange may put aside. */
const mostClaims = 1000;

class Claims {
  readonly byKey = new Map<string, Message>();
  readonly stack: Message[] = [];

  /** A call to another flow does not take them along. */
  toJSON(): undefined {
    return undefined;
  }

  /** Throws LimitExceededException. */
  requireRoom(): void {
    if (this.byKey.size + this.stack.length < mostClaims) return;
    throw new FlowException("LimitExceededException", `a claim check keeps at most ${mostClaims} messages`);
  }
}

export const claimCheck = defineStep({
  name: "claimCheck",
  docs: "Puts the message aside (Set with a key, Push on a stack) and later merges it back (Get, GetAndRemove, Pop), as `filter` says.",
  options: (z, { oneOf, template, text, refused }) =>
    z
      .object({
        operation: oneOf(operations),
        key: template.optional(),
        filter: text.optional(),
        aggregationStrategy: refused("say with filter which parts are merged"),
        aggregationStrategyMethodName: refused("say with filter which parts are merged"),
      })
      .refine(({ operation, key }) => key !== undefined || operation === "Push" || operation === "Pop", {
        message: "Get, GetAndRemove and Set need a key",
        path: ["key"],
      }),
  example: "claimCheck: { operation: Push }",
  compile({ operation, key, filter }, context) {
    const keyOf = key === undefined ? () => "" : context.text(key);
    const merge = claimFilter(filter ?? "");
    return (exchange) => {
      const claims = claimsOf(exchange);
      const { byKey, stack } = claims;
      if (operation === "Push") {
        claims.requireRoom();
        stack.push(exchange.message.copy());
      } else if (operation === "Set") {
        const name = keyOf(exchange);
        if (!byKey.has(name)) claims.requireRoom();
        byKey.set(name, exchange.message.copy());
      } else {
        const name = keyOf(exchange);
        const kept = operation === "Pop" ? stack.pop() : byKey.get(name);
        if (operation === "GetAndRemove") byKey.delete(name);
        if (kept !== undefined) merge(exchange.message, kept);
      }
    };
  },
});

/** A copy of the exchange shares them, as in Camel. */
function claimsOf(exchange: Exchange): Claims {
  const present = exchange.properties.get(property);
  if (present instanceof Claims) return present;
  const claims = new Claims();
  exchange.properties.set(property, claims);
  return claims;
}
