/** Consumes a queue or a topic (Camel: JmsConsumer 4.22). Each message is acknowledged when its run has ended. */
import type { ReceiverNeed } from "../../connectors/amqp-client.ts";
import { attendedSource } from "../../engine/attended/attended-source.ts";
import { bridging } from "../../engine/attended/consumer-options.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { connectionOf } from "./connection.ts";
import { readDestination } from "./destination.ts";
import { JmsInlet } from "./inlet.ts";
import type { JmsOptions } from "./options.ts";
import { JmsPeek } from "./peek.ts";
import { checkSubscription, subscriptionOf } from "./subscription.ts";

/** Messages that each consumer has under way with `asyncConsumer`. */
const asyncWindow = 16;

/** Throws an Error that names the fault of the endpoint. */
export function jmsSource(options: JmsOptions, context: SourceContext): Source {
  const from = readDestination(options.destinationName, options.destinationType);
  if (from.type.startsWith("temp-"))
    throw new Error("a temporary queue belongs to who has made it: write queue or topic");
  checkSubscription(options, from);
  if (options.replyTo !== undefined) readDestination(options.replyTo);
  const connection = connectionOf(options, context);
  const peek = new JmsPeek(options, context, from);
  const isTransacted = options.transacted || options.acknowledgementModeName === "SESSION_TRANSACTED";
  const consumers = Math.max(options.concurrentConsumers, options.maxConcurrentConsumers ?? 1);
  const inOrder = isTransacted ? 1 : options.window;
  const window = options.asyncConsumer ? asyncWindow : inOrder;
  const { messageBodyBytes, headerBytes } = context.limits;
  const links = Array.from(
    { length: consumers },
    (_, index): ReceiverNeed => ({
      node: from,
      selector: options.selector,
      noLocal: options.pubSubNoLocal,
      priority: options.artemisConsumerPriority,
      maxBytes: messageBodyBytes + headerBytes,
      ...subscriptionOf(options, from, context.routeId, index),
    }),
  );
  const parts = { options, context, connection, from, isTransacted };
  return attendedSource(
    {
      ...{ scheme: "jms", word: "message", connection, aloneAfterLoss: true },
      credits: consumers * window,
      ...(!options.asyncConsumer && { window }),
      ...bridging(options),
      mostPauseMs: options.recoveryInterval,
      async open(client, opening) {
        const inlet = await JmsInlet.open(client, { parts, links, window }, opening);
        peek.subscribed();
        return inlet;
      },
      peek: (limit) => peek.messages(limit),
    },
    context,
  );
}
