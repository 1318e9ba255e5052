/**
 * The groups of one `aggregate` step: the aggregated exchange of each key, and when a group is complete (Camel:
 * AggregateProcessor).
 */

import type { AggregationStrategy } from "../../engine/aggregation-strategy.ts";
import { boundedKey } from "../../engine/bounded-text.ts";
import { asText } from "../../engine/convert.ts";
import { exceptionMessage, FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Expression, Predicate } from "../../engine/processor.ts";
import { after } from "../../engine/waiting.ts";
import { weight } from "../../engine/weight.ts";

/** The cause of a group's completion, for the property CamelAggregatedCompletedBy. */
export type CompletedBy = "predicate" | "size" | "timeout" | "interval" | "force" | "consumer";

export interface AggregationRules {
  readonly strategy: AggregationStrategy;
  /** Evaluated on the group's exchange, or with eager checks on the received message. */
  readonly predicate: Predicate | undefined;
  readonly eager: boolean;
  /** 0: groups are not completed by size. */
  readonly size: number;
  readonly sizeOf: Expression | undefined;
  readonly timeoutMs: number;
  readonly timeoutOf: Expression | undefined;
  /** A message that begins a group completes all others. */
  readonly newGroupCompletes: boolean;
  /** All groups are complete when as many messages have come as the consumer's poll has (property CamelBatchSize). */
  readonly batchCompletes: boolean;
  /**
   * The number of keys of completed groups that are remembered and whose messages are refused; undefined: none, 0: the
   * default number.
   */
  readonly closedKeys: number | undefined;
  readonly discardOnFailure: boolean;
  readonly discardOnTimeout: boolean;
  readonly maxGroups: number;
  readonly maxMessages: number;
  /** The limit for the messages of all groups together. */
  readonly maxBytes: number;
}

interface Group {
  readonly key: unknown;
  exchange: Exchange;
  size: number;
  /** The weight of the messages that it holds. */
  bytes: number;
  stopTimer: (() => void) | undefined;
}

/** The weight of an exchange in addition to its message. */
const bytesOfExchange = 200;

/** The number of remembered closed keys when the flow sets none. */
const mostClosedKeys = 10_000;

export class AggregationGroups {
  readonly #rules: AggregationRules;
  /** Receives complete groups, except those that a message completed, which `add` returns. */
  readonly #completed: (exchange: Exchange) => void;
  /** Called with the change in the number of groups. */
  readonly #grew: (by: number) => void;
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Set<string>();
  #bytes = 0;
  /** The messages of the consumer's present batch. */
  #batch = 0;
  #whenEmpty: (() => void)[] = [];

  constructor(rules: AggregationRules, completed: (exchange: Exchange) => void, grew: (by: number) => void = () => {}) {
    this.#rules = rules;
    this.#completed = completed;
    this.#grew = grew;
  }

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Adds a copy of the message to its group. Returns the groups that this completes, the message's own last. Throws
   * ClosedCorrelationKeyException, and CamelExchangeException for a strategy that fails.
   */
  add(key: unknown, exchange: Exchange): Exchange[] {
    const { predicate, eager, newGroupCompletes, maxGroups, maxMessages, maxBytes } = this.#rules;
    const name = boundedKey(asText(key));
    if (this.#closed.has(name)) {
      const message = `The correlation key [${asText(key).slice(0, 200)}] has been closed.`;
      throw new FlowException("org.apache.camel.processor.aggregate.ClosedCorrelationKeyException", message);
    }
    const present = this.#groups.get(name);
    if (present === undefined && this.#groups.size >= maxGroups) {
      throw limitExceeded("aggregateGroups", `an aggregate has at most ${maxGroups} groups at the same time`);
    }
    const size = (present?.size ?? 0) + 1;
    if (size > maxMessages) throw limitExceeded("splitItems", `a group has at most ${maxMessages} messages`);
    const complete = newGroupCompletes && present === undefined ? this.#takeAll("force") : [];
    const bytes = bytesOfExchange + exchange[weight];
    if (this.#bytes + bytes > maxBytes)
      throw limitExceeded("aggregateBytes", `the groups of an aggregate have at most ${maxBytes} bytes`);
    const copy = exchange.copy();
    copy.properties.set("CamelAggregatedSize", size);
    const early = eager && predicate?.(copy) === true;
    const group = this.#aggregate(name, key, present, copy, size);
    if (group === undefined) return complete;
    // A strategy that drops the older exchange keeps nothing of its weight.
    this.#weigh(group, group.exchange === copy ? bytes : group.bytes + bytes);
    const ends = this.#endsBatch(exchange);
    const by = early ? "predicate" : ends ? undefined : this.#completedBy(group, exchange);
    if (present === undefined) this.#grew(1);
    this.#groups.set(name, group);
    if (ends) complete.push(...this.#takeAll("consumer"));
    else if (by !== undefined) complete.push(this.#take(name, group, by));
    else this.#watch(name, group, exchange);
    return complete;
  }

  /** Completes all groups. */
  takeAll(by: CompletedBy): Exchange[] {
    return this.#takeAll(by);
  }

  /** Drops all groups. */
  clear(): void {
    for (const { stopTimer } of this.#groups.values()) stopTimer?.();
    this.#grew(-this.#groups.size);
    this.#groups.clear();
    this.#bytes = 0;
    this.#notifyEmpty();
  }

  /** Resolves when there is no group. */
  empty(): Promise<void> {
    if (this.#groups.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#whenEmpty.push(resolve));
  }

  #aggregate(name: string, key: unknown, present: Group | undefined, copy: Exchange, size: number): Group | undefined {
    const { strategy, discardOnFailure } = this.#rules;
    try {
      const exchange = strategy.aggregate(present?.exchange, copy, copy);
      exchange.properties.set("CamelAggregatedSize", size);
      exchange.properties.set("CamelAggregatedCorrelationKey", key);
      if (present === undefined) return { key, exchange, size, bytes: 0, stopTimer: undefined };
      present.exchange = exchange;
      present.size = size;
      return present;
    } catch (error) {
      if (discardOnFailure) {
        this.#forget(name, present);
        return undefined;
      }
      const message = `Error occurred during aggregation: ${exceptionMessage(error)}`;
      throw new FlowException("org.apache.camel.CamelExchangeException", message, { cause: error });
    }
  }

  /** Counts the message in its batch, whichever group it joins; true for the last one. This comes before other rules. */
  #endsBatch({ properties }: Exchange): boolean {
    if (!this.#rules.batchCompletes) return false;
    this.#batch += 1;
    const size = numberOf(properties.get("CamelBatchSize"));
    if (size === undefined || size <= 0 || this.#batch < size) return false;
    this.#batch = 0;
    return true;
  }

  #completedBy(group: Group, message: Exchange): CompletedBy | undefined {
    const { predicate, eager, size, sizeOf } = this.#rules;
    if (!eager && predicate?.(group.exchange) === true) return "predicate";
    const wanted = sizeOf === undefined ? undefined : numberOf(sizeOf(message));
    if (wanted !== undefined && wanted > 0) return group.size >= wanted ? "size" : undefined;
    return size > 0 && group.size >= size ? "size" : undefined;
  }

  /** Restarts the group's time-out, as each message does. */
  #watch(name: string, group: Group, message: Exchange): void {
    const { timeoutMs, timeoutOf } = this.#rules;
    const own = timeoutOf === undefined ? undefined : numberOf(timeoutOf(message));
    const ms = own !== undefined && own > 0 ? own : timeoutMs;
    if (ms <= 0) return;
    group.stopTimer?.();
    group.stopTimer = after(ms, () => {
      const over = this.#take(name, group, "timeout");
      if (!this.#rules.discardOnTimeout) this.#completed(over);
    });
  }

  /** In Camel the groups of a batch are completed in the order of their keys. */
  #takeAll(by: CompletedBy): Exchange[] {
    const all = [...this.#groups];
    if (by === "consumer") all.sort(([one], [other]) => (one < other ? -1 : 1));
    return all.map(([name, group]) => this.#take(name, group, by));
  }

  #take(name: string, group: Group, by: CompletedBy): Exchange {
    this.#forget(name, group);
    const { closedKeys, strategy } = this.#rules;
    if (closedKeys !== undefined) {
      const most = closedKeys > 0 ? Math.min(closedKeys, mostClosedKeys) : mostClosedKeys;
      if (this.#closed.size >= most) this.#closed.delete(this.#closed.values().next().value as string);
      this.#closed.add(name);
    }
    const { exchange } = group;
    exchange.properties.set("CamelAggregatedCompletedBy", by);
    strategy.complete?.(exchange);
    return exchange;
  }

  #forget(name: string, group: Group | undefined): void {
    group?.stopTimer?.();
    if (group !== undefined) this.#weigh(group, 0);
    if (this.#groups.delete(name)) this.#grew(-1);
    if (this.#groups.size === 0) this.#notifyEmpty();
  }

  #weigh(group: Group, bytes: number): void {
    this.#bytes += bytes - group.bytes;
    group.bytes = bytes;
  }

  #notifyEmpty(): void {
    const waiting = this.#whenEmpty;
    this.#whenEmpty = [];
    for (const resolve of waiting) resolve();
  }
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "number" ? value : Number(asText(value).trim() || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
