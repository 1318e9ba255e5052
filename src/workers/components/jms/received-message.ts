/** What an exchange has of a message that was received (Camel: JmsBinding.extractBodyFromJms, extractHeadersFromJms). */

import type { Limits } from "../../../shared/limits.ts";
import { traceparentIn } from "../../../shared/trace-context.ts";
import type { AmqpMessage, NodeType } from "../../connectors/amqp-client.ts";
import { limitExceeded } from "../../engine/exception.ts";
import { Headers } from "../../engine/headers.ts";
import { traceparentName } from "../../engine/trace-context.ts";
import { weightOf } from "../../engine/weight.ts";
import { receivedBody } from "./body.ts";
import { destinationAt } from "./destination.ts";
import { headerName, isCamelHeader, type KeyFormat } from "./property-names.ts";

export interface Received {
  readonly body: unknown;
  readonly headers: readonly (readonly [name: string, value: unknown])[];
  readonly traceparent: string | undefined;
}

/** `from`: what the message was received from. Throws what makes the message unreadable here. */
export function receivedMessage(
  message: AmqpMessage,
  from: { readonly type: NodeType; readonly address: string },
  format: KeyFormat,
  limits: Limits,
): Received {
  const body = receivedBody(message);
  const most = limits.messageBodyBytes;
  if (weightOf(body, most) > most)
    throw limitExceeded("messageBodyBytes", `a message's body has at most ${most} bytes`);
  const headers = receivedHeaders(message, from, format);
  // Refused now, since a run could not begin with them.
  const tried = new Headers(limits);
  for (const [name, value] of headers) tried.receive(name, value);
  return { body, headers, traceparent: traceparentIn(message.application?.[traceparentName]) };
}

export function receivedHeaders(
  message: AmqpMessage,
  from: { readonly type: NodeType; readonly address: string },
  format: KeyFormat,
): readonly (readonly [string, unknown])[] {
  const { properties = {}, application = {}, durable = false, priority = 4, ttl, deliveryCount = 0 } = message;
  const { creationTime = 0, correlationId } = properties;
  const expiration = properties.absoluteExpiry ?? (ttl === undefined || creationTime === 0 ? 0 : creationTime + ttl);
  const bytes = /^ID:AMQP_BINARY:((?:[0-9A-F]{2})*)$/.exec(correlationId ?? "")?.[1];
  const all: readonly (readonly [string, unknown])[] = [
    ["JMSMessageID", properties.messageId],
    ["JMSCorrelationID", correlationId],
    ["JMSCorrelationIDAsBytes", bytes === undefined ? undefined : Uint8Array.from(Buffer.from(bytes, "hex"))],
    ["JMSDeliveryMode", durable ? 2 : 1],
    ["JMSDestination", destinationAt(properties.to ?? from.address, message, "x-opt-jms-dest", from.type)],
    ["JMSExpiration", expiration],
    ["JMSPriority", priority],
    ["JMSRedelivered", deliveryCount > 0],
    ["JMSTimestamp", creationTime],
    [
      "JMSReplyTo",
      properties.replyTo === undefined
        ? undefined
        : destinationAt(properties.replyTo, message, "x-opt-jms-reply-to", "queue"),
    ],
    ["JMSType", properties.subject],
    ["JMSXGroupID", properties.groupId],
    ["JMSXGroupSeq", properties.groupSequence],
    ["JMSXUserID", properties.userId],
    ["JMSXDeliveryCount", deliveryCount + 1],
  ];
  const own = Object.entries(application)
    .map(([name, value]) => [headerName(name, format), value] as const)
    .filter(([name]) => !isCamelHeader(name));
  const names = new Set(all.map(([name]) => name));
  return [...all.filter(([, value]) => value !== undefined), ...own.filter(([name]) => !names.has(name))];
}
