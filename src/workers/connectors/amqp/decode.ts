/** Reads messages of AMQP 1.0 from their bytes. Throws an Error for what is none; nothing is taken from beyond the bytes. */
import type { AmqpBody, AmqpMessage, AmqpProperties, AmqpValue } from "../amqp-client.ts";
import { ByteReader } from "./byte-reader.ts";
import { correlationText, messageIdText } from "./ids.ts";

const sections: Readonly<Record<string, number>> = {
  "amqp:header:list": 0x70,
  "amqp:delivery-annotations:map": 0x71,
  "amqp:message-annotations:map": 0x72,
  "amqp:properties:list": 0x73,
  "amqp:application-properties:map": 0x74,
  "amqp:data:binary": 0x75,
  "amqp:amqp-sequence:list": 0x76,
  "amqp:amqp-value:*": 0x77,
  "amqp:footer:map": 0x78,
};

export function decodeMessage(bytes: Uint8Array): AmqpMessage {
  const reader = new ByteReader(bytes);
  let message: AmqpMessage = { body: { section: "none" } };
  while (!reader.isAtEnd) {
    const section = reader.descriptor();
    const code = typeof section === "string" ? sections[section] : section;
    message = withSection(message, code, reader);
  }
  return message;
}

function withSection(message: AmqpMessage, code: number | undefined, reader: ByteReader): AmqpMessage {
  switch (code) {
    case 0x70:
      return { ...message, ...headerOf(listOf(reader)) };
    case 0x72:
      return { ...message, annotations: mapOf(reader) };
    case 0x73:
      return { ...message, properties: propertiesOf(reader) };
    case 0x74:
      return { ...message, application: mapOf(reader) };
    case 0x75:
    case 0x76:
    case 0x77:
      return { ...message, body: bodyOf(message.body, code, reader.value()) };
    default:
      reader.value();
      return message;
  }
}

function bodyOf(before: AmqpBody, code: number, value: AmqpValue): AmqpBody {
  if (code === 0x77) return { section: "value", value };
  if (code === 0x76) {
    const items = Array.isArray(value) ? (value as readonly AmqpValue[]) : [];
    return { section: "sequence", items: before.section === "sequence" ? [...before.items, ...items] : items };
  }
  if (!(value instanceof Uint8Array)) throw new Error("a data section has no bytes");
  return { section: "data", bytes: before.section === "data" ? Buffer.concat([before.bytes, value]) : value };
}

function listOf(reader: ByteReader): readonly AmqpValue[] {
  const value = reader.value();
  if (!Array.isArray(value)) throw new Error("a section is no list");
  return value as readonly AmqpValue[];
}

function mapOf(reader: ByteReader): Readonly<Record<string, AmqpValue>> {
  const value = reader.value();
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Uint8Array)
    throw new Error("a section is no map");
  return value as Readonly<Record<string, AmqpValue>>;
}

function headerOf([durable, priority, ttl, , deliveryCount]: readonly AmqpValue[]): Omit<AmqpMessage, "body"> {
  return {
    durable: durable === true,
    ...(typeof priority === "number" && { priority }),
    ...(typeof ttl === "number" && { ttl }),
    ...(typeof deliveryCount === "number" && { deliveryCount }),
  };
}

function propertiesOf(reader: ByteReader): AmqpProperties {
  const fields = reader.list((item, index) => {
    if (index === 0) return messageIdText(item.typed());
    if (index === 5) return correlationText(item.typed());
    return item.value();
  });
  const text = (index: number): string | undefined => {
    const value = fields[index];
    return typeof value === "string" ? value : value instanceof Uint8Array ? Buffer.from(value).toString() : undefined;
  };
  const time = (index: number): number | undefined => {
    const value = fields[index];
    return value instanceof Date ? value.getTime() : typeof value === "number" ? value : undefined;
  };
  const all = {
    messageId: text(0),
    userId: text(1),
    to: text(2),
    subject: text(3),
    replyTo: text(4),
    correlationId: text(5),
    contentType: text(6),
    absoluteExpiry: time(8),
    creationTime: time(9),
    groupId: text(10),
    groupSequence: time(11),
    replyToGroupId: text(12),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as AmqpProperties;
}
