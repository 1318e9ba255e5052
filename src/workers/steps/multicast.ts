/** The `multicast` step (Camel: MulticastProcessor). */
import { findStrategy, useLatest } from "../engine/aggregation-strategy.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Branch, branchOf, type FanOut, fanOut } from "../engine/fan-out.ts";
import { aggregationOptions, branchWords, fanOutOf, preparing } from "../engine/fan-out-options.ts";
import type { Processor } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";

export const multicast = defineStep({
  name: "multicast",
  docs: "Runs each of its steps with a copy of the message, a `pipeline` being one; the last reply, or what the aggregationStrategy makes of all, becomes the message.",
  ownErrors: true,
  options: (z, slots) =>
    z.object({
      steps: slots
        .steps("The branches: each step gets a copy of the message. Put several steps of one branch into a `pipeline`.")
        .default([]),
      ...aggregationOptions(slots, branchWords),
    }),
  example: `multicast:
  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
  steps:
    - setBody: { expression: { constant: { expression: "a" } } }
    - setBody: { expression: { constant: { expression: "b" } } }`,
  compile({ steps, ...options }, context) {
    const prepared = preparing(options, context);
    const processors = steps.map((step) => prepared(context.pipeline([step])));
    const strategy = findStrategy(options.aggregationStrategy, context.bean) ?? useLatest;
    const how = fanOutOf(options, strategy, `multicast at line ${context.line}`);
    return (exchange) => fanOut(exchange, branches(exchange, processors, how), how);
  },
});

function* branches(original: Exchange, processors: readonly Processor[], how: FanOut): Iterator<Branch> {
  for (let index = 0; index < processors.length; index++) {
    const exchange = branchOf(original, how, [
      ["CamelMulticastIndex", index],
      ["CamelMulticastComplete", index === processors.length - 1],
    ]);
    if (original.original !== undefined) exchange.keepOriginal();
    yield { exchange, process: processors[index] as Processor };
  }
}
