/** Bodies as messages of JMS carry them, and back (Camel: JmsBinding; the kinds of Qpid JMS). */
import type { AmqpBody, AmqpMessage, AmqpValue } from "../../connectors/amqp-client.ts";
import { asText, asValue, convertTo, isPlainObject } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { LazyList } from "../../engine/lazy-list.ts";
import { JsonText } from "../../engine/message.ts";

export type BodyType = "Bytes" | "Map" | "Stream" | "Text";

export interface SentBody {
  readonly body: AmqpBody;
  /** The number by which JMS clients know the kind of message. */
  readonly code: number;
  readonly contentType?: string;
}

/** `wanted`: the kind; undefined: that of the body. Throws a FlowException for a body that has no such form. */
export function sentBody(value: unknown, wanted: BodyType | undefined, maxBytes: number): SentBody {
  if (value === null || value === undefined) return { body: { section: "value", value: null }, code: 0 };
  switch (wanted ?? typeOf(value)) {
    case "Text":
      return { body: { section: "value", value: asText(value, maxBytes) }, code: 5 };
    case "Bytes": {
      const bytes = convertTo(value, "byte[]", maxBytes) as Uint8Array;
      return { body: { section: "data", bytes }, code: 3, contentType: "application/octet-stream" };
    }
    case "Map": {
      const map = convertTo(value, "Map", maxBytes);
      if (map === null) throw notA("map", value);
      const entries = map instanceof Map ? Object.fromEntries(map as Map<string, AmqpValue>) : map;
      return { body: { section: "value", value: entries as AmqpValue }, code: 2 };
    }
    case "Stream": {
      const list = convertTo(value, "List", maxBytes);
      if (list === null) throw notA("list", value);
      return { body: { section: "sequence", items: list as readonly AmqpValue[] }, code: 4 };
    }
  }
}

function typeOf(value: unknown): BodyType {
  if (value instanceof Uint8Array) return "Bytes";
  if (value instanceof JsonText) return "Text";
  if (Array.isArray(value) || value instanceof LazyList || value instanceof Set) return "Stream";
  const inner = asValue(value);
  return isPlainObject(inner) || inner instanceof Map ? "Map" : "Text";
}

function notA(what: string, value: unknown): FlowException {
  return new FlowException(
    "jakarta.jms.MessageFormatException",
    `the body is no ${what}: it begins with '${asText(value).slice(0, 40)}'`,
  );
}

const textual = /^(?:text\/|application\/(?:json|xml|[^;]*\+(?:json|xml)))/i;

/** Throws an Error for a message whose body is an object of Java. */
export function receivedBody({ body, properties, annotations }: AmqpMessage): unknown {
  const { contentType = "" } = properties ?? {};
  if (contentType.startsWith("application/x-java-serialized-object") || annotations?.["x-opt-jms-msg-type"] === 1)
    throw new FlowException(
      "jakarta.jms.MessageFormatException",
      "the message is an object of Java, which is not read: have the sender send text, bytes, a map or a list",
    );
  if (body.section === "none") return null;
  if (body.section === "sequence") return body.items;
  if (body.section === "value") return body.value;
  return textual.test(contentType) ? Buffer.from(body.bytes).toString("utf8") : body.bytes;
}
