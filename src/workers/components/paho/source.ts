/** Subscribes to a topic, and offers each message (Camel: PahoMqtt5Consumer and PahoConsumer 4.22). */
import type { Source, SourceContext } from "../../engine/source.ts";
import { checkFilter, connectionOf, consumerSession, type PahoOptions } from "./connection.ts";
import { Subscription } from "./subscription.ts";

/** Throws an Error that names the fault of the endpoint. */
export function pahoSource(options: PahoOptions, context: SourceContext): Source {
  const { topic, cleanStart, concurrentConsumers, scheme, qos } = options;
  checkFilter(topic);
  if (cleanStart && qos > 0) {
    const option = scheme === "paho" ? "cleanSession" : "cleanStart";
    context.warn(
      "messages_are_lost",
      `messages that come while '${context.routeId}' is not connected are lost (while it is replaced, after its thread was killed, while the broker is away): write ${option}: false, and the broker keeps them`,
    );
  }
  const connection = connectionOf(options, context, consumerSession(options, context));
  const subscription = new Subscription(options, context, connection);
  return {
    credits: concurrentConsumers,
    start: (offer) => subscription.start(offer),
    pause: () => void subscription.stop(),
    stop: () => subscription.stop(),
  };
}
