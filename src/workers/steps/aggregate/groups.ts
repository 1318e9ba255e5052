/**
 * The groups of one `aggregate` step: the aggregated exchange of each key, and when a group is complete (Camel:
 * AggregateProcessor).
 */

import { boundedKey } from "../../engine/bounded-text.ts";
import { asText } from "../../engine/convert.ts";
import { exceptionMessage, FlowException, limitExceeded } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { after } from "../../engine/waiting.ts";
import { weight } from "../../engine/weight.ts";
import type { AggregationRules, CompletedBy } from "./rules.ts";

/** A group whose steps are to run. */
export interface CompleteGroup {
  readonly id: string;
  /** How many messages it has. */
  readonly size: number;
  readonly by: CompletedBy;
  readonly exchange: Exchange;
  /** All of its messages are of test sessions. */
  readonly ofTests: boolean;
}

/** What a message has done to the groups. */
export interface Joined {
  readonly id: string;
  /** How many messages its group had before; 0: it has begun it. */
  readonly before: number;
  /** Epoch ms of the group's time-out; 0: it has none. */
  readonly deadline: number;
  /** false: the message could not be joined, and its group was dropped. */
  readonly joined: boolean;
  /** The groups that it has completed, its own last. */
  readonly complete: readonly CompleteGroup[];
}

interface Group {
  readonly id: string;
  readonly key: unknown;
  exchange: Exchange;
  size: number;
  ofTests: boolean;
  /** The weight of the messages that it holds. */
  bytes: number;
  stopTimer: (() => void) | undefined;
  /** When the timer ends, in epoch ms; 0: there is none. */
  deadline: number;
}

/** The weight of an exchange in addition to its message. */
const bytesOfExchange = 200;

/** The number of remembered closed keys when the flow sets none. */
const mostClosedKeys = 10_000;

export class AggregationGroups {
  readonly #rules: AggregationRules;
  /** Receives groups whose time is over. */
  readonly #timedOut: (group: CompleteGroup) => void;
  /** Called with the change in the number of groups. */
  readonly #grew: (by: number) => void;
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Set<string>();
  #bytes = 0;
  /** The messages of the consumer's present batch. */
  #batch = 0;
  #whenEmpty: (() => void)[] = [];
  readonly #newId: () => string;

  /** `newId`: makes the id of a group that begins. */
  constructor(
    rules: AggregationRules,
    timedOut: (group: CompleteGroup) => void,
    grew: (by: number) => void = () => {},
    newId: () => string = () => "",
  ) {
    this.#rules = rules;
    this.#timedOut = timedOut;
    this.#newId = newId;
    this.#grew = grew;
  }

  get size(): number {
    return this.#groups.size;
  }

  /**
   * Adds a copy of the message to its group. Throws ClosedCorrelationKeyException, and CamelExchangeException for a
   * strategy that fails.
   */
  add(key: unknown, exchange: Exchange): Joined {
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
    const complete: CompleteGroup[] = newGroupCompletes && present === undefined ? this.#takeAll("force") : [];
    const bytes = bytesOfExchange + exchange[weight];
    if (this.#bytes + bytes > maxBytes)
      throw limitExceeded("aggregateBytes", `the groups of an aggregate have at most ${maxBytes} bytes`);
    const copy = exchange.copyApart();
    copy.properties.set("CamelAggregatedSize", size);
    const early = eager && predicate?.(copy) === true;
    const group = this.#aggregate(name, key, present, copy, size);
    if (group === undefined) return { id: present?.id ?? "", before: size - 1, deadline: 0, joined: false, complete };
    // A strategy that drops the older exchange keeps nothing of its weight.
    this.#weigh(group, group.exchange === copy ? bytes : group.bytes + bytes);
    const ends = this.#endsBatch(exchange);
    const by = early ? "predicate" : ends ? undefined : this.#completedBy(group, eager ? exchange : group.exchange);
    if (present === undefined) this.#grew(1);
    this.#groups.set(name, group);
    if (ends) complete.push(...this.#takeAll("consumer"));
    else if (by !== undefined) complete.push(this.#take(name, group, by));
    else this.#watch(name, group, exchange);
    return { id: group.id, before: size - 1, deadline: group.deadline, joined: true, complete };
  }

  /** A message that was added is taken back, with all groups: it does not count in its batch. */
  takenBack(): void {
    if (this.#batch > 0) this.#batch -= 1;
  }

  /** Puts an open group back that was kept, with its messages in their order. `deadline`: as of `Joined`. */
  restore(id: string, key: unknown, messages: readonly Exchange[], deadline: number): void {
    const { exchange, bytes } = this.#replay(key, messages);
    const name = boundedKey(asText(key));
    const group: Group = { ...begun(id, key, exchange, messages.length), ofTests: false };
    this.#weigh(group, bytes);
    this.#groups.set(name, group);
    this.#grew(1);
    if (deadline > 0) this.#time(name, group, deadline);
  }

  /** Returns a completed group that was kept, with its messages in their order. */
  restored(id: string, key: unknown, messages: readonly Exchange[], by: CompletedBy): CompleteGroup {
    const { exchange } = this.#replay(key, messages);
    exchange.properties.set("CamelAggregatedCompletedBy", by);
    this.#rules.strategy.complete?.(exchange);
    return { id, size: messages.length, by, exchange, ofTests: false };
  }

  #replay(key: unknown, messages: readonly Exchange[]): { readonly exchange: Exchange; readonly bytes: number } {
    let exchange: Exchange | undefined;
    let bytes = 0;
    for (const [at, message] of messages.entries()) {
      message.properties.set("CamelAggregatedSize", at + 1);
      const weighs = bytesOfExchange + message[weight];
      exchange = this.#rules.strategy.aggregate(exchange, message, message);
      exchange.properties.set("CamelAggregatedSize", at + 1);
      exchange.properties.set("CamelAggregatedCorrelationKey", key);
      bytes = exchange === message ? weighs : bytes + weighs;
    }
    if (exchange === undefined) throw new Error("a group that is kept has messages");
    return { exchange, bytes };
  }

  /** Completes all groups. */
  takeAll(by: CompletedBy): CompleteGroup[] {
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
      const ofTests = copy.run.mocks !== undefined;
      if (present === undefined) return { ...begun(this.#newId(), key, exchange, size), ofTests };
      present.exchange = exchange;
      present.size = size;
      present.ofTests &&= ofTests;
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

  /** `message`: what the number is read of: the aggregated message, or the new one with eagerCheckCompletion. */
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
    if (ms > 0) this.#time(name, group, Date.now() + ms, ms);
  }

  #time(name: string, group: Group, deadline: number, ms = Math.max(1, deadline - Date.now())): void {
    group.stopTimer?.();
    group.deadline = deadline;
    group.stopTimer = after(ms, () => this.#timedOut(this.#take(name, group, "timeout")));
  }

  /** In Camel the groups of a batch are completed in the order of their keys. */
  #takeAll(by: CompletedBy): CompleteGroup[] {
    const all = [...this.#groups];
    if (by === "consumer") all.sort(([one], [other]) => (one < other ? -1 : 1));
    return all.map(([name, group]) => this.#take(name, group, by));
  }

  #take(name: string, group: Group, by: CompletedBy): CompleteGroup {
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
    const { id, size, ofTests } = group;
    return { id, size, by, exchange, ofTests };
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

function begun(id: string, key: unknown, exchange: Exchange, size: number): Omit<Group, "ofTests"> {
  return { id, key, exchange, size, bytes: 0, stopTimer: undefined, deadline: 0 };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "number" ? value : Number(asText(value).trim() || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
