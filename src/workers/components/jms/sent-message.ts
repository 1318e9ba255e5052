/** Makes the message of JMS that an exchange is sent as (Camel: JmsBinding.makeJmsMessage). */
import { randomUUID } from "node:crypto";
import type { AmqpMessage, AmqpNode, AmqpValue, TypedNumber } from "../../connectors/amqp-client.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { readable } from "../../engine/message-text.ts";
import { traceparentName, traceparentOf } from "../../engine/trace-context.ts";
import { type BodyType, sentBody } from "./body.ts";
import { destinationCode } from "./destination.ts";
import type { JmsOptions } from "./options.ts";
import { isProperty, propertyName } from "./property-names.ts";
import type { Quality } from "./quality.ts";

export interface Envelope {
  readonly destination: AmqpNode;
  readonly address: string;
  readonly quality: Quality;
  readonly replyTo?: { readonly node: AmqpNode; readonly address: string } | undefined;
  readonly correlationId?: string | undefined;
  readonly messageId?: string;
  /** Properties beside those of the headers. */
  readonly properties?: Readonly<Record<string, AmqpValue>>;
}

export function newMessageId(): string {
  return `ID:${randomUUID()}`;
}

const bodyTypes: readonly string[] = ["Bytes", "Map", "Stream", "Text"];

/** Throws a FlowException for what cannot be sent. */
export function sentMessage(exchange: Exchange, options: JmsOptions, envelope: Envelope): AmqpMessage {
  const { message, run } = exchange;
  const { headers } = message;
  const type = bodyTypeOf(exchange, options);
  const value = type === "Text" ? readable(exchange, message.body) : message.body;
  const { body, code, contentType } = sentBody(value, type, run.limits.messageBodyBytes);
  if (code === 0 && !options.allowNullBody)
    throw new FlowException("jakarta.jms.JMSException", "the message has no body, and allowNullBody is false");
  const { destination, address, quality, replyTo, correlationId, messageId = newMessageId() } = envelope;
  const text = (name: string): string | undefined => {
    const value = headers.get(name);
    return value === undefined || value === null || value === "" ? undefined : asText(value);
  };
  const group = text("JMSXGroupID");
  const sequence = Number(headers.get("JMSXGroupSeq"));
  const now = Date.now();
  const traceparent = traceparentOf(exchange);
  return {
    durable: quality.persistent,
    priority: quality.priority,
    ...(quality.ttl !== undefined && { ttl: quality.ttl }),
    annotations: {
      "x-opt-jms-msg-type": byte(code),
      "x-opt-jms-dest": byte(destinationCode(destination.type)),
      ...(replyTo !== undefined && { "x-opt-jms-reply-to": byte(destinationCode(replyTo.node.type)) }),
      ...(quality.delay > 0 && { "x-opt-delivery-time": { type: "long", value: now + quality.delay } }),
    },
    properties: {
      to: address,
      ...(options.messageIdEnabled && { messageId }),
      ...(options.messageTimestampEnabled && { creationTime: now }),
      ...(quality.ttl !== undefined && { absoluteExpiry: now + quality.ttl }),
      ...optional("subject", text("JMSType")),
      ...optional("replyTo", replyTo?.address),
      ...optional("correlationId", correlationId),
      ...optional("contentType", contentType),
      ...optional("groupId", group),
      ...(group !== undefined && Number.isInteger(sequence) && sequence > 0 && { groupSequence: sequence }),
    },
    application: {
      ...optional(traceparentName, traceparent),
      ...propertiesOf(exchange, options),
      ...envelope.properties,
    },
    body,
  };
}

function byte(value: number): TypedNumber {
  return { type: "byte", value };
}

function optional<Name extends string>(name: Name, value: string | undefined): { readonly [name in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: string };
}

function bodyTypeOf({ message }: Exchange, { jmsMessageType }: JmsOptions): BodyType | undefined {
  const wanted = message.headers.get("CamelJmsMessageType") ?? jmsMessageType;
  if (wanted === undefined || wanted === null) return undefined;
  const type = asText(wanted);
  if (bodyTypes.includes(type)) return type as BodyType;
  throw new FlowException(
    "java.lang.IllegalArgumentException",
    `'${type.slice(0, 40)}' is no kind of message: ${bodyTypes.join(", ")} are`,
  );
}

function propertiesOf({ message }: Exchange, options: JmsOptions): Readonly<Record<string, AmqpValue>> {
  const also = namesOf(options.allowAdditionalHeaders);
  const properties: Record<string, AmqpValue> = {};
  for (const [name, value] of message.headers.entries()) {
    if (!isProperty(name, options.includeAllJMSXProperties)) continue;
    const sent = propertyValue(value, also(name), options.formatDateHeadersToIso8601);
    if (sent !== undefined) properties[propertyName(name, options.jmsKeyFormatStrategy)] = sent;
  }
  return properties;
}

/** undefined: properties have no such values, and the header stays here. */
function propertyValue(value: unknown, isAdditional: boolean, asIso: boolean): AmqpValue | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
    case "number":
      return value;
    case "bigint":
      return BigInt.asIntN(64, value) === value ? value : String(value);
    case "object":
      if (value instanceof Date) return asIso && !Number.isNaN(value.getTime()) ? isoText(value) : asText(value);
      return isAdditional && value instanceof Uint8Array ? value : undefined;
    default:
      return undefined;
  }
}

/** Milliseconds are left out where there are none. */
function isoText(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}

function namesOf(list = ""): (name: string) => boolean {
  const names = list.split(",").map((name) => name.trim());
  return (name) =>
    names.some((one) => (one.endsWith("*") ? one !== "*" && name.startsWith(one.slice(0, -1)) : one === name));
}
