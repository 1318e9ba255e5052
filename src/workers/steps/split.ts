/** The `split` step (Camel: Splitter). */

import { findStrategy, useOriginal } from "../engine/aggregation-strategy.ts";
import { lastly } from "../engine/branch.ts";
import { limitExceeded } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Branch, branchOf, type FanOut, fanOut } from "../engine/fan-out.ts";
import { aggregationOptions, fanOutOf, preparing } from "../engine/fan-out-options.ts";
import { Message } from "../engine/message.ts";
import { countParts, inGroups, partsOf } from "../engine/parts.ts";
import type { Processor } from "../engine/processor.ts";
import type { Run } from "../engine/run.ts";
import { defineStep } from "../engine/step.ts";
import { StreamedList } from "../engine/streamed-list.ts";

const noWatermarks = "what has been split is not kept between runs: leave it out";
const noThresholds =
  "count failures with an aggregationStrategy of your own steps: leave it out, or use stopOnException";

export const split = defineStep({
  name: "split",
  docs: "Runs its steps for each part of the expression's value, then goes on with the message as it was, or as the aggregationStrategy makes it.",
  options: (z, slots) => {
    const { expression, steps, text, integer, refused } = slots;
    return z.object({
      expression: expression(
        "Gives the parts: a list, or a text that is cut at the delimiter. `tokenize` and `jsonpath` give lists.",
      ),
      steps: steps("What is done with each part, which is the body then.").default([]),
      delimiter: text("Where a text is cut, when the expression gives one; `false` leaves it whole.").default(","),
      group: integer("Hands on lists of this many parts in place of single ones; 0: single ones.")
        .refine((size) => size >= 0, "group is the number of parts in a list, 0 for none")
        .default(0),
      ...aggregationOptions(slots, {
        otherwise: "the message goes on as it was",
        streaming:
          "Takes parts as they are read, without counting them first: CamelSplitSize is known with the last one. With `parallelProcessing` results count in the order of their ends.",
      }),
      errorThreshold: refused(noThresholds),
      maxFailedRecords: refused(noThresholds),
      resumeStrategy: refused(noWatermarks),
      watermarkKey: refused(noWatermarks),
      watermarkExpression: refused(noWatermarks),
    });
  },
  example: `split:
  expression:
    tokenize:
      token: ","
  aggregationStrategy: "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"
  steps:
    - transform: { expression: { simple: { expression: "<\${body}>" } } }`,
  compile({ expression, steps, delimiter, group, ...options }, context) {
    const value = context.expression(expression);
    const inner = preparing(options, context)(context.pipeline(steps));
    const strategy = findStrategy(options.aggregationStrategy, context.bean) ?? useOriginal;
    const how = fanOutOf(options, strategy, `split at line ${context.line}`);
    const { splitItems } = context.limits;
    return (exchange) => {
      const given = value(exchange);
      if (given instanceof StreamedList) {
        const work = arriving(exchange, given, { group, process: inner, limit: splitItems, how });
        return countingParts(exchange.run, undefined, (took) => fanOut(exchange, work, how, took));
      }
      // A text that came over HTTP is a stream in Camel, which is one part.
      const whole = typeof given === "string" && exchange.isAsItCame(given);
      const parts = partsOf(given, whole ? "false" : delimiter, splitItems * Math.max(1, group));
      const grouped = group > 0 ? inGroups(parts, group) : parts;
      const counted = how.streaming ? { parts: grouped, size: undefined } : countParts(grouped, splitItems);
      if (counted.size !== undefined && counted.size > splitItems) throw tooManyParts(splitItems);
      const work = branches(exchange, counted.parts, counted.size, inner, splitItems, how);
      return countingParts(exchange.run, counted.size, (took) => fanOut(exchange, work, how, took));
    };
  },
});

function tooManyParts(limit: number): Error {
  return limitExceeded("splitItems", `a split has at most ${limit} parts`);
}

/** Yields one exchange per part. Reads one part ahead, since each exchange has a property that marks the last one. */
function* branches(
  original: Exchange,
  parts: Iterable<unknown>,
  size: number | undefined,
  process: Processor,
  limit: number,
  how: FanOut,
): Iterator<Branch> {
  const walk = parts[Symbol.iterator]();
  for (let index = 0, next = walk.next(); next.done !== true; index++) {
    if (index === limit) throw tooManyParts(limit);
    const part = next.value;
    next = walk.next();
    const known = size ?? (next.done === true ? index + 1 : undefined);
    yield { exchange: partExchange(original, part, { index, last: next.done === true, size: known }, how), process };
  }
}

interface Arriving {
  readonly group: number;
  readonly process: Processor;
  readonly limit: number;
  readonly how: FanOut;
}

/** As `branches`, for parts that arrive while they are taken. What is left of them when a branch ends the split is not read. */
async function* arriving(original: Exchange, list: StreamedList, { group, process, limit, how }: Arriving) {
  let held: { readonly part: unknown } | undefined;
  let index = 0;
  const branch = (part: unknown, last: boolean): Branch => {
    if (index === limit) throw tooManyParts(limit);
    const place = { index, last, size: last ? index + 1 : undefined };
    index += 1;
    return { exchange: partExchange(original, part, place, how), process };
  };
  for await (const part of group > 0 ? arrivingGroups(list, group) : list) {
    if (held !== undefined) yield branch(held.part, false);
    held = { part };
  }
  if (held !== undefined) yield branch(held.part, true);
}

async function* arrivingGroups(list: StreamedList, size: number): AsyncGenerator<unknown> {
  let group: unknown[] = [];
  for await (const part of list) {
    group.push(part);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

interface PartPlace {
  readonly index: number;
  readonly last: boolean;
  /** The number of parts, if it is known. */
  readonly size: number | undefined;
}

function partExchange(original: Exchange, part: unknown, { index, last, size }: PartPlace, how: FanOut): Exchange {
  const exchange = branchOf(original, how, [
    ["CamelSplitIndex", index],
    ["CamelSplitComplete", last],
    ...(size === undefined ? [] : [["CamelSplitSize", size] as const]),
  ]);
  // Parts that are messages (of GroupedMessage) replace the message as a whole.
  if (part instanceof Message) exchange.message.restore(part.snapshot());
  else exchange.message.body = part;
  if (original.original !== undefined) exchange.keepOriginal();
  return exchange;
}

/** `parts`: their number, if it is known. `split` calls its argument for each part that has ended. */
export function countingParts(
  { sink: { progress }, slot }: Run<Exchange>,
  parts: number | undefined,
  split: (took: (() => void) | undefined) => void | Promise<void>,
): void | Promise<void> {
  if (progress?.beginSplit(slot, parts) !== true) return split(undefined);
  return lastly(
    () => split(() => progress.tookPart(slot)),
    () => progress.endSplit(slot),
  );
}
