/** Replies to messages that ask for one (Camel: EndpointMessageListener.sendReply). */
import type { AmqpClient, AmqpMessage, AmqpNode, AmqpTransaction } from "../../connectors/amqp-client.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { readDestination } from "./destination.ts";
import type { JmsOptions } from "./options.ts";
import { sentMessage } from "./sent-message.ts";

/** Where a reply goes. */
export interface ReplyPlace {
  readonly node: AmqpNode;
  readonly address: string;
  readonly isOwn: boolean;
}

const sendMs = 30_000;
/** What the annotation of the JMS mapping of AMQP calls 0, 1, 2 and 3. */
const replyTypes = ["queue", "topic", "temp-queue", "temp-topic"] as const;

/** undefined: nobody waits for a reply. `from`: what the route consumes. */
export function replyPlace(
  { properties, annotations }: AmqpMessage,
  { disableReplyTo, replyTo, replyToSameDestinationAllowed }: JmsOptions,
  from: { readonly node: AmqpNode; readonly address: string },
  client: AmqpClient,
): ReplyPlace | undefined {
  if (disableReplyTo) return undefined;
  const place = ((): ReplyPlace | undefined => {
    if (replyTo !== undefined) {
      const node = readDestination(replyTo);
      return { node, address: client.addressOf(node), isOwn: true };
    }
    const address = properties?.replyTo;
    if (address === undefined || address === "") return undefined;
    const type = replyTypes[Number(annotations?.["x-opt-jms-reply-to"] ?? 0)] ?? "queue";
    return { node: { type, name: address }, address, isOwn: false };
  })();
  // Otherwise the route would consume its own replies.
  const isSame = place?.address === from.address || place?.address === client.addressOf(from.node);
  return isSame && !replyToSameDestinationAllowed ? undefined : place;
}

/** Rejects when the broker does not take the reply. */
export async function sendReply(
  exchange: Exchange,
  { properties = {} }: AmqpMessage,
  { node, address, isOwn }: ReplyPlace,
  options: JmsOptions,
  { client, transaction }: { readonly client: AmqpClient; readonly transaction: AmqpTransaction | undefined },
): Promise<void> {
  const { messageId, correlationId } = properties;
  const message = sentMessage(exchange, options, {
    destination: node,
    address,
    quality: { persistent: options.replyToDeliveryPersistent, priority: 4, ttl: undefined, delay: 0 },
    correlationId: options.useMessageIDAsCorrelationID ? messageId : (correlationId ?? messageId),
  });
  const to = isOwn ? node : { type: node.type, address };
  await client.send(to, message, { signal: AbortSignal.timeout(sendMs), transaction });
}
