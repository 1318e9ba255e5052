/** The `pollEnrich` step (Camel: PollEnricher). */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import { hasSecret } from "../../shared/secret-mark.ts";
import { findStrategy } from "../engine/aggregation-strategy.ts";
import { asText } from "../engine/convert.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { isInvalidEndpoint } from "../engine/exception.ts";
import type { Poll } from "../engine/poller.ts";
import { pollInto } from "../engine/polling.ts";
import type { Processor } from "../engine/processor.ts";
import { noPooling, sendWith } from "../engine/send.ts";
import { type CompileContext, defineStep } from "../engine/step.ts";

const noMethods = "strategies are classes of the runtime, without methods to choose from: leave it out";

export const pollEnrich = defineStep({
  name: "pollEnrich",
  docs: "Takes one message from the endpoint that its expression names; it replaces the body and its headers are added, or the aggregationStrategy makes one of both. Without a message in time the body is null.",
  options: (z, { expression, duration, text, flag, integer, only, refused }) =>
    z.object({
      expression: expression(
        "Gives the address that is polled, such as `file:in?fileName=a.csv`; a blank one polls nothing.",
      ),
      timeout: duration(
        "How long it waits for a message; 0: not at all, below 0, as without it, until the run's own time is over.",
      ).default(-1),
      aggregationStrategy: text(
        "How the message and the polled one become one: a bean's name, or `#class:` with a class. Nothing is aggregated when no message came.",
      ).optional(),
      aggregationStrategyMethodName: refused(noMethods),
      aggregationStrategyMethodAllowNull: only(false, noMethods),
      aggregateOnException: flag(
        "Gives a polled message that cannot be read, such as a file that is too large, to the strategy; without this the step fails.",
      ).default(false),
      ignoreInvalidEndpoint: flag("An address that is none polls nothing; without this the message fails.").default(
        false,
      ),
      allowedSchemes: text(
        "Components that the address may name, with commas between them: `file,seda`. Without it all may be polled.",
      ).optional(),
      variableReceive: text("The variable that gets the message; body and headers stay as they are.").optional(),
      cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
      allowOptimisedComponents: refused(noPooling, "true"),
      autoStartComponents: refused(noPooling, "true"),
    }),
  example: `pollEnrich:
  expression:
    constant:
      expression: "seda:customers"
  timeout: 0`,
  compile({ expression, ignoreInvalidEndpoint, variableReceive, ...options }, context) {
    const { allowedSchemes, cacheSize, timeout, aggregateOnException } = options;
    const strategy = findStrategy(options.aggregationStrategy, context.bean);
    const uriOf = context.expression(expression);
    const named = { allowedSchemes, cacheSize, from: expression };
    const pollOf = isFixed(expression) && !ignoreInvalidEndpoint ? fixed(named, context) : context.dynamicPoll(named);
    const enrich: Processor = (exchange) => {
      const uri = asText(uriOf(exchange)).trim();
      if (uri === "") return;
      let poll: Poll;
      try {
        poll = pollOf(uri);
      } catch (error) {
        if (ignoreInvalidEndpoint && isInvalidEndpoint(error)) return;
        throw error;
      }
      exchange.sentTo(camelUri(uri));
      return pollInto(exchange, poll, { timeout, strategy, aggregateOnException });
    };
    return sendWith(enrich, { variableReceive }, context.useVariable);
  },
});

/** Whether the address is the same for each message. Then an invalid one refuses the flow. */
function isFixed({ language, text }: ExpressionModel): boolean {
  const whole = language === "constant" || (language === "simple" && !/[$]\{|[$]simple\{/.test(text));
  return whole && text.trim() !== "" && !hasSecret(text);
}

function fixed({ from, allowedSchemes }: Named, context: CompileContext): () => Poll {
  const poll = context.fixedPoll(from, allowedSchemes);
  return () => poll;
}

interface Named {
  readonly from: ExpressionModel;
  readonly allowedSchemes: string | undefined;
}
