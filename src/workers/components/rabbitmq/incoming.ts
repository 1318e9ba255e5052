/** Makes a message of the flow of one that the server has delivered (Camel: DefaultMessagePropertiesConverter, DefaultMessageConverter). */
import { isSteeringHeader } from "../../../shared/http-headers.ts";
import type { Limits } from "../../../shared/limits.ts";
import { traceparentIn } from "../../../shared/trace-context.ts";
import type { Delivered } from "../../connectors/rabbitmq/channel.ts";
import { charsetNamed } from "../../engine/charset.ts";
import { isPlainObject } from "../../engine/convert.ts";
import { limitExceeded } from "../../engine/exception.ts";
import { Headers } from "../../engine/headers.ts";
import { traceparentName } from "../../engine/trace-context.ts";
import type { HeaderNames } from "./names.ts";

export type HeaderEntry = readonly [name: string, value: unknown];

export interface Incoming {
  readonly body: unknown;
  readonly headers: readonly HeaderEntry[];
  readonly traceparent?: string | undefined;
  /** Present: the message exceeds a limit, and its run fails with this. */
  readonly unreadable?: { readonly error: unknown };
}

export function incoming(message: Delivered, { names }: { readonly names: HeaderNames }, limits: Limits): Incoming {
  const { content, size } = message;
  let headers: readonly HeaderEntry[];
  try {
    // Tables in tables may be deeper than the stack is.
    headers = headersOf(message, names);
    const trial = new Headers(limits);
    for (const [name, value] of headers) trial.receive(name, value);
  } catch (error) {
    return { body: null, headers: [], unreadable: { error } };
  }
  if (content !== undefined) {
    const traceparent = traceparentIn(message.headers?.[traceparentName]);
    return { body: bodyOf(content, message, names), headers, traceparent };
  }
  const where = "The server moves it to the dead letter exchange of its queue, and drops it where there is none";
  const why = `a message's body has at most ${limits.messageBodyBytes} bytes, and this one has ${size}. ${where}`;
  return { body: null, headers, unreadable: { error: limitExceeded("messageBodyBytes", why) } };
}

export function headersOf(message: Delivered, names: HeaderNames): readonly HeaderEntry[] {
  const { headers = {}, timestamp, deliveryMode } = message;
  const own = Object.entries(headers)
    .filter(([name]) => !isSteeringHeader(name))
    .map(([name, value]) => [name, fieldOf(value)] as const);
  const properties: readonly (readonly [name: string | undefined, value: unknown])[] = [
    [names.redelivered, message.redelivered],
    [names.deliveryTag, message.deliveryTag],
    [names.exchange, message.exchange],
    [names.routingKey, message.routingKey],
    [names.deliveryMode, names.texts ? modeOf(deliveryMode) : deliveryMode],
    [names.type, message.type],
    [names.contentType, message.contentType],
    [names.contentLength, message.size > 0 ? message.size : undefined],
    [names.contentEncoding, message.contentEncoding],
    [names.messageId, message.messageId],
    [names.correlationId, message.correlationId],
    [names.replyTo, message.replyTo],
    [names.expiration, message.expiration],
    [names.timestamp, timestamp === undefined ? undefined : new Date(timestamp * 1000)],
    [names.milliseconds, timestamp === undefined ? undefined : timestamp * 1000],
    [names.userId, message.userId],
    [names.appId, message.appId],
    [names.priority, message.priority],
    [names.clusterId, message.clusterId],
  ];
  const present = properties.flatMap(([name, value]) =>
    name === undefined || value === undefined ? [] : [[name, value] as const],
  );
  return [...own, ...present];
}

/** The content of a message of text, in the character set of its content encoding. Throws nothing: an unknown one leaves bytes. */
export function bodyOf(
  content: Uint8Array,
  { contentType, contentEncoding }: Pick<Delivered, "contentType" | "contentEncoding">,
  { texts }: HeaderNames,
): unknown {
  if (!texts || contentType?.startsWith("text") !== true) return content;
  return charsetNamed(contentEncoding ?? "UTF-8")?.decode(content) ?? content;
}

function modeOf(mode: number | undefined): string | undefined {
  return mode === undefined ? undefined : mode === 2 ? "PERSISTENT" : "NON_PERSISTENT";
}

/** Values of AMQP's tables: bytes are copied, since the library's share memory, and decimals become numbers. */
function fieldOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  if (Array.isArray(value)) return value.map(fieldOf);
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value);
  const { scale, value: digits } = value;
  if (entries.length === 2 && typeof scale === "number" && typeof digits === "number") return digits / 10 ** scale;
  return Object.fromEntries(entries.map(([name, one]) => [name, fieldOf(one)]));
}
