/**
 * Reads messages of AMQP 1.0 from their bytes. Throws an Error for what is none; nothing is taken from beyond the bytes. Why rhea
 * does not read them: docs/decisions/0042-messages-of-amqp-are-read-and-written-here.md.
 */
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

/** The sections of a body, which are joined when all of them are read: a message may have a section for each few bytes. */
class Body {
  readonly #data: Uint8Array[] = [];
  readonly #items: AmqpValue[] = [];
  #body: AmqpBody = { section: "none" };

  data(value: AmqpValue): void {
    if (!(value instanceof Uint8Array)) throw new Error("a data section has no bytes");
    this.#data.push(value);
    this.#body = { section: "data", bytes: value };
  }

  sequence(value: AmqpValue): void {
    for (const item of Array.isArray(value) ? (value as readonly AmqpValue[]) : []) this.#items.push(item);
    this.#body = { section: "sequence", items: this.#items };
  }

  value(value: AmqpValue): void {
    this.#body = { section: "value", value };
  }

  joined(): AmqpBody {
    const body = this.#body;
    return body.section === "data" && this.#data.length > 1 ? { ...body, bytes: Buffer.concat(this.#data) } : body;
  }
}

export function decodeMessage(bytes: Uint8Array): AmqpMessage {
  const reader = new ByteReader(bytes);
  const body = new Body();
  let message: Omit<AmqpMessage, "body"> = {};
  while (!reader.isAtEnd) {
    const section = reader.descriptor();
    const code = typeof section === "string" ? sections[section] : section;
    if (code === 0x70) message = { ...message, ...headerOf(listOf(reader)) };
    else if (code === 0x72) message = { ...message, annotations: mapOf(reader) };
    else if (code === 0x73) message = { ...message, properties: propertiesOf(reader) };
    else if (code === 0x74) message = { ...message, application: mapOf(reader) };
    else if (code === 0x75) body.data(reader.value());
    else if (code === 0x76) body.sequence(reader.value());
    else if (code === 0x77) body.value(reader.value());
    else reader.value();
  }
  return { ...message, body: body.joined() };
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
