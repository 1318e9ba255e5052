/** Subscriptions of topics: which options go together, and how their links are named. */
import type { AmqpNode, ReceiverNeed } from "../../connectors/amqp-client.ts";
import type { JmsOptions } from "./options.ts";

/** What the link with this index has of the subscription of the endpoint; nothing without one. */
export function subscriptionOf(
  options: JmsOptions,
  { type }: AmqpNode,
  routeId: string,
  index: number,
): Pick<ReceiverNeed, "durable" | "shared" | "global" | "name"> {
  const {
    subscriptionDurable,
    subscriptionShared: shared,
    subscriptionName,
    durableSubscriptionName,
    clientId,
  } = options;
  const durable = subscriptionDurable || durableSubscriptionName !== undefined;
  if (type !== "topic" || !(durable || shared)) return {};
  const name = durableSubscriptionName ?? subscriptionName ?? routeId;
  return {
    durable,
    shared,
    global: shared && clientId === undefined,
    name: linkName(name, index, durable, shared, clientId),
  };
}

/** The queue that Artemis keeps the durable subscription of an endpoint in; undefined: it has none. */
export function subscriptionQueue(options: JmsOptions, { type }: AmqpNode, routeId: string): string | undefined {
  const { subscriptionDurable, subscriptionName, durableSubscriptionName, clientId } = options;
  if (type !== "topic" || !(subscriptionDurable || durableSubscriptionName !== undefined)) return undefined;
  const name = durableSubscriptionName ?? subscriptionName ?? routeId;
  return clientId === undefined ? `${name}:global` : `${clientId}.${name}`;
}

/** Links of one subscription have different names: what stands behind the bar does not count. */
function linkName(
  name: string,
  index: number,
  durable: boolean,
  shared: boolean,
  clientId: string | undefined,
): string {
  if (!shared) return name;
  const isGlobal = clientId === undefined;
  const kind = `${isGlobal ? "global" : ""}${durable ? "" : isGlobal ? "-volatile" : "volatile"}`;
  const number = durable && index === 0 ? "" : String(index + 1);
  return kind === "" && number === "" ? name : `${name}|${kind}${number}`;
}

/** Throws an Error for options that contradict each other. */
export function checkSubscription(options: JmsOptions, { type }: AmqpNode): void {
  const {
    subscriptionDurable,
    subscriptionShared,
    durableSubscriptionName,
    clientId,
    concurrentConsumers,
    maxConcurrentConsumers,
  } = options;
  const durable = subscriptionDurable || durableSubscriptionName !== undefined;
  if (!durable && !subscriptionShared) return;
  if (type !== "topic")
    throw new Error(
      "a queue has no subscriptions: write topic:... or leave subscriptionDurable, subscriptionShared and durableSubscriptionName out",
    );
  if (durable && !subscriptionShared && clientId === undefined)
    throw new Error("a durable subscription belongs to a client: write clientId, or subscriptionShared: true");
  if (!subscriptionShared && Math.max(concurrentConsumers, maxConcurrentConsumers ?? 1) > 1)
    throw new Error(
      "a durable subscription has one consumer: leave concurrentConsumers out, or write subscriptionShared: true",
    );
}
