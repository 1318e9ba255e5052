/** Replies to a message that names where (Camel: EndpointMessageListener.sendReply). */
import type { Delivered } from "../../connectors/rabbitmq/channel.ts";
import type { Message } from "../../engine/message.ts";
import type { RabbitConnection } from "./connection.ts";
import { type OutgoingForm, outgoing } from "./outgoing.ts";

/** Where a reply goes: a queue's name, or `exchange/routing key` (Spring: Address). */
export function addressOf(replyTo: string): { readonly exchange: string; readonly routingKey: string } {
  const [, exchange = "", routingKey = ""] = /^(?:[^:/]+:\/\/)?([^/]*)\/(.*)$/s.exec(replyTo) ?? [];
  if (replyTo.startsWith("amq.rabbitmq.reply-to") || !replyTo.includes("/"))
    return { exchange: "", routingKey: replyTo };
  return { exchange, routingKey };
}

/** Resolves when the server has the reply. One that no queue gets is dropped by the server: its asker has gone. */
export async function sendReply(
  connection: RabbitConnection,
  { replyTo = "", correlationId }: Delivered,
  message: Message,
  form: OutgoingForm,
  signal: AbortSignal,
): Promise<void> {
  const { content, properties } = outgoing(message, form);
  const reply = {
    ...addressOf(replyTo),
    content,
    mandatory: false,
    properties: { ...properties, ...(correlationId !== undefined && { correlationId }) },
  };
  const lease = await connection.share(undefined, signal);
  try {
    await lease.client.withPublisher(signal, (channel) => channel.publish(reply));
  } finally {
    lease.release();
  }
}
