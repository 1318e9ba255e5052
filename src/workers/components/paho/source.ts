/** Subscribes to a topic, and offers each message (Camel: PahoMqtt5Consumer and PahoConsumer 4.22). */
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import { attendedSource } from "../../engine/attended/attended-source.ts";
import { bridging } from "../../engine/attended/consumer-options.ts";
import type { Source, SourceContext } from "../../engine/source.ts";
import { checkFilter, connectionOf, consumerSession, type PahoOptions, underWay } from "./connection.ts";
import { PahoInlet } from "./inlet.ts";
import { Unacknowledged } from "./unacknowledged.ts";

/** Throws an Error that names the fault of the endpoint. */
export function pahoSource(options: PahoOptions, context: SourceContext): Source {
  const { topic, cleanStart, scheme, qos } = options;
  checkFilter(topic);
  if (cleanStart && qos > 0) {
    const option = scheme === "paho" ? "cleanSession" : "cleanStart";
    context.warn(
      "messages_are_lost",
      `messages that come while '${context.routeId}' is not connected are lost (while it is replaced, after its thread was killed, while the broker is away): write ${option}: false, and the broker keeps them`,
    );
  }
  const connection = connectionOf(options, context, consumerSession(options, context));
  const parts = { options, context, unacknowledged: new Unacknowledged() };
  let isSubscribed = false;
  return attendedSource(
    {
      ...{ scheme, word: "message", connection, aloneAfterLoss: true, marksRedelivered: true },
      // The broker would take two connections of one session for a client that has moved.
      ...{ ownsClient: true, resumes: true },
      // It sends a message again only for a session that it keeps.
      atMostOnce: cleanStart,
      ...underWay(options),
      ...bridging(options),
      mostPauseMs: options.maxReconnectDelay,
      async open(client, opening) {
        const inlet = new PahoInlet(client, parts, opening);
        // What is retained would be sent once more.
        if (!isSubscribed || !client.isResumed) await subscribe(client, options, context, opening.signal);
        isSubscribed = true;
        inlet.opened();
        return inlet;
      },
    },
    context,
  );
}

async function subscribe(
  client: BrokerClient,
  { topic, qos, cleanStart, version, scheme }: PahoOptions,
  context: SourceContext,
  signal: AbortSignal,
): Promise<void> {
  const asked = qos === 0 || qos === 1 ? qos : 2;
  const granted = await client.subscribe(topic, { qos: asked, retainedOnce: version === 5 && !cleanStart }, signal);
  if (granted < qos) context.log("WARN", scheme, `the broker delivers '${topic}' with qos ${granted}, and not ${qos}`);
}
