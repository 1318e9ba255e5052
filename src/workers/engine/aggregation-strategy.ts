/** Strategies that combine the exchanges of branches to one (Camel: org.apache.camel.processor.aggregate). */

import type { BeanReference } from "./bean.ts";
import { limitExceeded } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { textIn } from "./message-text.ts";
import { weightOf } from "./weight.ts";

export interface AggregationStrategy {
  /**
   * Combines the aggregated exchange, undefined for the first call, with the next one; returns the new aggregated
   * exchange.
   */
  aggregate(older: Exchange | undefined, newer: Exchange, original: Exchange): Exchange;
  /** Called after the last exchange has been aggregated. */
  complete?(result: Exchange): void;
}

/** Takes the last reply, but a later success does not replace a failure, even a handled one. */
export const useLatest: AggregationStrategy = {
  aggregate(older, newer) {
    if (older === undefined) return newer;
    newer.exception ??= older.exception;
    if (newer.exception !== undefined) return newer;
    return older.handled || older.rollback ? older : newer;
  },
};

/** Takes the exchange from before the branches, with the last failure among them, and the last one that was caught in them. */
export const useOriginal: AggregationStrategy = {
  aggregate(_older, newer, original) {
    if (newer.exception !== undefined) original.exception = newer.exception;
    const caught = newer.properties.get("CamelExceptionCaught");
    if (caught !== undefined && caught !== null) original.properties.set("CamelExceptionCaught", caught);
    return original;
  },
};

/** Collects a value for each exchange, within the bound of a body; the collection becomes the body. */
class Gathered {
  readonly #bytes = new WeakMap<Exchange, number>();

  /** Throws LimitExceededException. */
  add(result: Exchange, value: unknown): void {
    const { messageBodyBytes } = result.run.limits;
    const bytes = (this.#bytes.get(result) ?? 0) + weightOf(value, messageBodyBytes);
    if (bytes > messageBodyBytes) {
      throw limitExceeded("messageBodyBytes", `messages are aggregated to at most ${messageBodyBytes} bytes`);
    }
    this.#bytes.set(result, bytes);
  }
}

const grouped = "CamelGroupedExchange";

/** Lists what `of` reads from each exchange, in the message of the first one. */
function listOf(of: (exchange: Exchange) => unknown): AggregationStrategy {
  const gathered = new Gathered();
  return {
    aggregate(older, newer) {
      const result = older ?? newer;
      const list = older?.properties.get(grouped);
      const value = of(newer);
      gathered.add(result, value);
      if (Array.isArray(list)) list.push(value);
      else result.properties.set(grouped, [value]);
      return result;
    },
    complete(result) {
      const list = result.properties.get(grouped);
      if (list === undefined) return;
      result.properties.delete(grouped);
      result.message.body = list;
    },
  };
}

export const groupedBody = listOf(({ message }) => message.body);
// Lists copies, since the message of the first exchange gets the list as its body, and a list must not contain itself.
const groupedMessage = listOf(({ message }) => message.copy());
const groupedExchange = listOf((exchange) => {
  const copy = exchange.copy();
  copy.exception = exchange.exception;
  return copy;
});

/** Joins the bodies as text when the last one has been aggregated (Camel: StringAggregationStrategy). */
function concatenated(delimiter: string): AggregationStrategy {
  const texts = new WeakMap<Exchange, string[]>();
  const gathered = new Gathered();
  return {
    aggregate(older, newer) {
      const result = older ?? newer;
      const text = textIn(newer, newer.message.body);
      gathered.add(result, text + delimiter);
      const list = texts.get(result);
      if (list === undefined) texts.set(result, [text]);
      else list.push(text);
      return result;
    },
    complete(result) {
      result.message.body = (texts.get(result) ?? []).join(delimiter);
    },
  };
}

const packageName = "org.apache.camel.processor.aggregate.";

const byClass: Readonly<Record<string, (properties: BeanReference["properties"]) => AggregationStrategy>> = {
  UseLatestAggregationStrategy: () => useLatest,
  UseOriginalAggregationStrategy: () => useOriginal,
  GroupedBodyAggregationStrategy: () => groupedBody,
  GroupedMessageAggregationStrategy: () => groupedMessage,
  GroupedExchangeAggregationStrategy: () => groupedExchange,
  StringAggregationStrategy: ({ delimiter }) => concatenated(typeof delimiter === "string" ? delimiter : ""),
};

/** Full names of the available strategies, for messages. */
export const strategyClasses: readonly string[] = Object.keys(byClass).map((name) => `${packageName}${name}`);

/** Returns undefined for an unknown class. */
export function strategyOf({ type, properties }: BeanReference): AggregationStrategy | undefined {
  const name = type.startsWith(packageName) ? type.slice(packageName.length) : type;
  return Object.hasOwn(byClass, name) ? byClass[name]?.(properties) : undefined;
}

/**
 * Finds the strategy that an option names: a bean of the flow, `#class:...`, or, without a bean, the class's short name
 * (`#groupedBodyAggregationStrategy`). Throws for any other name.
 */
export function findStrategy(
  reference: string | undefined,
  bean: (reference: string) => BeanReference | undefined,
): AggregationStrategy | undefined {
  if (reference === undefined) return undefined;
  const found = bean(reference);
  const bare = reference.trim().replace(/^#(?:bean:)?/, "");
  const type = found ?? { type: bare.charAt(0).toUpperCase() + bare.slice(1), properties: {} };
  const strategy = strategyOf(type);
  if (strategy !== undefined) return strategy;
  const what = found === undefined ? `there is no bean '${bare}'` : `'${found.type}' is a class of the JVM`;
  const known = strategyClasses.map((name) => name.slice(packageName.length)).join(", ");
  throw new Error(`aggregationStrategy: ${what}; there are ${known}, as '#class:${packageName}...' or as beans`);
}
