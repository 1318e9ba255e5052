/** The `enrich` step (Camel: Enricher). */
import { type AggregationStrategy, findStrategy } from "../engine/aggregation-strategy.ts";
import { settleBranch, takeBranch } from "../engine/branch.ts";
import { asText } from "../engine/convert.ts";
import { camelUri } from "../engine/endpoint-uri.ts";
import { isInvalidEndpoint } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Processor } from "../engine/processor.ts";
import { noPooling, sendWith } from "../engine/send.ts";
import { defineStep } from "../engine/step.ts";
import { getVariable, requireReadable } from "../engine/variables.ts";

/** The answer replaces the message (Camel: CopyAggregationStrategy). */
const answerAlone: AggregationStrategy = { aggregate: (_original, answer) => answer };
const noMethods = "strategies are classes of the runtime, without methods to choose from: leave it out";

export const enrich = defineStep({
  name: "enrich",
  docs: "Asks the endpoint that its expression names, with a copy of the message; the answer becomes the message, or what the aggregationStrategy makes of both.",
  options: (z, { expression, text, flag, integer, only, refused }) =>
    z.object({
      expression: expression("Gives the address that is asked, such as `direct:customer`; a blank one asks nothing."),
      aggregationStrategy: text(
        "How the message and the answer become one: a bean's name, or `#class:` with a class. Without it the answer replaces the message.",
      ).optional(),
      aggregationStrategyMethodName: refused(noMethods),
      aggregationStrategyMethodAllowNull: only(false, noMethods),
      aggregateOnException: flag("Gives a failed answer to the strategy, too; without this the message fails.").default(
        false,
      ),
      ignoreInvalidEndpoint: flag("An address that is none asks nothing; without this the message fails.").default(
        false,
      ),
      allowedSchemes: text(
        "Components that the address may name, with commas between them: `direct,http`. Without it all may be called.",
      ).optional(),
      variableSend: text("The variable that is sent in place of the body.").optional(),
      variableReceive: text("The variable that gets the answer; the message stays as it is.").optional(),
      cacheSize: integer("How many endpoints are kept ready for the next message; 0: 1000, below 0: none.").optional(),
      allowOptimisedComponents: refused(noPooling, "true"),
      autoStartComponents: refused(noPooling, "true"),
      shareUnitOfWork: only(false, "the question has a unit of work of its own: leave it out"),
    }),
  example: `enrich:
  expression:
    constant:
      expression: "mock:customer"
  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.UseLatestAggregationStrategy"`,
  compile({ expression, aggregationStrategy, aggregateOnException, ignoreInvalidEndpoint, ...options }, context) {
    const { allowedSchemes, cacheSize, variableSend, variableReceive } = options;
    if (variableSend !== undefined) requireReadable(variableSend, context.useVariable);
    const uriOf = context.expression(expression);
    const producer = context.dynamicProducer({ allowedSchemes, cacheSize, from: expression });
    const strategy = findStrategy(aggregationStrategy, context.bean) ?? answerAlone;
    const ask: Processor = (exchange) => {
      const uri = asText(uriOf(exchange)).trim();
      if (uri === "") return;
      let resource: Processor;
      try {
        resource = context.guard(producer(uri));
      } catch (error) {
        if (ignoreInvalidEndpoint && isInvalidEndpoint(error)) return;
        throw error;
      }
      const question = exchange.copy();
      question.pattern = "InOut";
      question.properties.set("CamelCorrelationId", exchange.id);
      if (variableSend !== undefined) question.message.body = getVariable(exchange, variableSend);
      if (exchange.original !== undefined) question.keepOriginal();
      const answered = (): void => {
        if (question.exception === undefined || aggregateOnException) merge(exchange, question, strategy);
        else takeBranch(exchange, question);
        exchange.sentTo(camelUri(uri));
        raise(exchange);
      };
      const pending = settleBranch(resource, question);
      return pending === undefined ? answered() : pending.then(answered);
    };
    return sendWith(ask, { variableReceive }, context.useVariable);
  },
});

function merge(exchange: Exchange, answer: Exchange, strategy: AggregationStrategy): void {
  const result = strategy.aggregate(exchange, answer, exchange);
  if (result !== exchange) takeBranch(exchange, result);
}

function raise(exchange: Exchange): void {
  const { exception } = exchange;
  if (exception === undefined) return;
  exchange.exception = undefined;
  throw exception;
}
