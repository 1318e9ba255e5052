/** Writes messages of AMQP 1.0 as bytes. Numbers have the types that receivers in Java expect: int, long, double. */
import { isPlainObject } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { AmqpBody, AmqpMessage, AmqpProperties, TypedNumber } from "../amqp-client.ts";
import { idOfText } from "./ids.ts";

type Section = 0x70 | 0x72 | 0x73 | 0x74 | 0x75 | 0x76 | 0x77;

export function encodeMessage(message: AmqpMessage): Buffer {
  const { annotations, properties, application, body } = message;
  const writer = new ByteWriter();
  writer.section(0x70).list(headerOf(message));
  if (annotations !== undefined) writer.section(0x72).map(annotations, true);
  if (properties !== undefined) writer.section(0x73).list(propertiesOf(properties));
  if (application !== undefined) writer.section(0x74).map(application, false);
  writeBody(writer, body);
  return writer.bytes();
}

function writeBody(writer: ByteWriter, body: AmqpBody): void {
  if (body.section === "data") writer.section(0x75).binary(body.bytes);
  else if (body.section === "sequence") writer.section(0x76).value(body.items);
  else writer.section(0x77).value(body.section === "value" ? body.value : null);
}

type Write = (writer: ByteWriter) => void;

function headerOf({ durable = false, priority, ttl }: AmqpMessage): readonly (Write | undefined)[] {
  return [
    (writer) => writer.value(durable),
    priority === undefined ? undefined : (writer) => writer.number({ type: "ubyte", value: priority }),
    ttl === undefined ? undefined : (writer) => writer.number({ type: "uint", value: ttl }),
  ];
}

function propertiesOf(properties: AmqpProperties): readonly (Write | undefined)[] {
  const text = (value: string | undefined): Write | undefined =>
    value === undefined ? undefined : (writer) => writer.value(value);
  const id = (value: string | undefined): Write | undefined =>
    value === undefined ? undefined : (writer) => writer.id(value);
  const number = (type: TypedNumber["type"], value: number | undefined): Write | undefined =>
    value === undefined ? undefined : (writer) => writer.number({ type, value });
  const { messageId, userId, to, subject, replyTo, correlationId, contentType } = properties;
  return [
    id(messageId),
    userId === undefined ? undefined : (writer) => writer.binary(Buffer.from(userId)),
    ...[text(to), text(subject), text(replyTo), id(correlationId)],
    contentType === undefined ? undefined : (writer) => writer.symbol(contentType),
    undefined,
    number("timestamp", properties.absoluteExpiry),
    number("timestamp", properties.creationTime),
    text(properties.groupId),
    number("uint", properties.groupSequence),
    text(properties.replyToGroupId),
  ];
}

class ByteWriter {
  #parts: Buffer[] = [];

  section(code: Section): this {
    return this.#put(0x00, 0x53, code);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  list(items: readonly (Write | undefined)[]): void {
    let count = items.length;
    while (count > 0 && items[count - 1] === undefined) count -= 1;
    this.#compound(0xd0, count, (inner) => {
      for (const write of items.slice(0, count)) write === undefined ? inner.#put(0x40) : write(inner);
    });
  }

  /** `symbols`: the names are symbols, as those of annotations are. */
  map(entries: Readonly<Record<string, unknown>>, symbols: boolean): void {
    const pairs = Object.entries(entries).filter(([, value]) => value !== undefined);
    this.#compound(0xd1, pairs.length * 2, (inner) => {
      for (const [name, value] of pairs) {
        symbols ? inner.symbol(name) : inner.value(name);
        isTyped(value) && symbols ? inner.number(value) : inner.value(value);
      }
    });
  }

  binary(bytes: Uint8Array): void {
    this.#sized(0xa0, 0xb0, bytes);
  }

  symbol(text: string): void {
    this.#sized(0xa3, 0xb3, Buffer.from(text, "ascii"));
  }

  id(text: string): void {
    const id = idOfText(text);
    if (id.type === "string") this.value(id.value);
    else if (id.type === "binary") this.binary(id.value);
    else if (id.type === "uuid") this.#put(0x98).#parts.push(Buffer.from(id.value));
    else {
      const bytes = Buffer.alloc(9, 0x80);
      bytes.writeBigUInt64BE(id.value, 1);
      this.#parts.push(bytes);
    }
  }

  number({ type, value }: TypedNumber): void {
    const whole = Math.trunc(value);
    if (type === "ubyte") this.#put(0x50, whole & 0xff);
    else if (type === "byte") this.#put(0x51, whole & 0xff);
    else if (type === "uint") {
      const bytes = Buffer.alloc(5, 0x70);
      bytes.writeUInt32BE(Math.min(Math.max(whole, 0), 0xffff_ffff), 1);
      this.#parts.push(bytes);
    } else this.#long(type === "timestamp" ? 0x83 : 0x81, BigInt(whole));
  }

  value(value: unknown): void {
    if (typeof value === "boolean") this.#put(value ? 0x41 : 0x42);
    else if (typeof value === "string") this.#sized(0xa1, 0xb1, Buffer.from(value));
    else if (typeof value === "number") this.#plainNumber(value);
    else if (typeof value === "bigint") {
      if (BigInt.asIntN(64, value) === value) this.#long(0x81, value);
      else this.value(String(value));
    } else if (typeof value === "object" && value !== null) this.#object(value);
    else this.#put(0x40);
  }

  #object(value: object): void {
    if (value instanceof Uint8Array) this.binary(value);
    else if (value instanceof Date) this.number({ type: "timestamp", value: value.getTime() });
    else if (Array.isArray(value)) {
      this.#compound(0xd0, value.length, (inner) => {
        for (const item of value) inner.value(item);
      });
    } else if (isPlainObject(value)) this.map(value, false);
    else
      throw new FlowException(
        "jakarta.jms.MessageFormatException",
        "a message of JMS has texts, numbers, bytes, dates, lists and maps, and this value is none of them: convert it before it is sent",
      );
  }

  #plainNumber(value: number): void {
    if (!Number.isInteger(value) || Math.abs(value) >= 2 ** 63) {
      const bytes = Buffer.alloc(9, 0x82);
      bytes.writeDoubleBE(value, 1);
      this.#parts.push(bytes);
    } else if (Math.abs(value) > 0x7fff_ffff) this.#long(0x81, BigInt(value));
    else {
      const bytes = Buffer.alloc(5, 0x71);
      bytes.writeInt32BE(value, 1);
      this.#parts.push(bytes);
    }
  }

  #long(code: number, value: bigint): void {
    const bytes = Buffer.alloc(9, code);
    bytes.writeBigInt64BE(BigInt.asIntN(64, value), 1);
    this.#parts.push(bytes);
  }

  #sized(short: number, long: number, bytes: Uint8Array): void {
    if (bytes.length < 256) this.#put(short, bytes.length);
    else {
      const head = Buffer.alloc(5, long);
      head.writeUInt32BE(bytes.length, 1);
      this.#parts.push(head);
    }
    this.#parts.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  #compound(code: number, count: number, fill: (inner: ByteWriter) => void): void {
    const inner = new ByteWriter();
    fill(inner);
    const bytes = inner.bytes();
    const head = Buffer.alloc(9, code);
    head.writeUInt32BE(bytes.length + 4, 1);
    head.writeUInt32BE(count, 5);
    this.#parts.push(head, bytes);
  }

  #put(...bytes: number[]): this {
    this.#parts.push(Buffer.from(bytes));
    return this;
  }
}

function isTyped(value: unknown): value is TypedNumber {
  return typeof value === "object" && value !== null && "type" in value && "value" in value;
}
