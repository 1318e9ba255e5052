/** The `setExchangePattern` step (Camel: ExchangePatternProcessor). */
import { defineStep } from "../engine/step.ts";

export const setExchangePattern = defineStep({
  name: "setExchangePattern",
  docs: "Says whether endpoints that are called from here on are to reply (InOut) or not (InOnly).",
  short: "pattern",
  options: (z, { oneOf }) =>
    z.object({
      pattern: oneOf(
        ["InOnly", "InOut"],
        "`InOut` expects a reply, `InOnly` does not; endpoints such as seda ask for it.",
      ),
    }),
  example: "setExchangePattern: { pattern: InOnly }",
  compile({ pattern }) {
    return (exchange) => {
      exchange.pattern = pattern;
    };
  },
});
