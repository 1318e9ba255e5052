/** Makes the content and the properties that are sent of a message of the flow (Camel: DefaultMessageConverter, DefaultMessagePropertiesConverter). */
import { isSteeringHeader } from "../../../shared/http-headers.ts";
import type { Properties } from "../../connectors/rabbitmq/channel.ts";
import { amqpFailure } from "../../connectors/rabbitmq/failure.ts";
import { charsetNamed } from "../../engine/charset.ts";
import { asText, isPlainObject, javaType } from "../../engine/convert.ts";
import { JsonText, type Message } from "../../engine/message.ts";
import { traceparentName } from "../../engine/trace-context.ts";
import { markupOf } from "../../engine/xml-value.ts";
import type { HeaderNames } from "./names.ts";

export interface OutgoingForm {
  readonly names: HeaderNames;
  /** true: a message without a body is sent, and is empty. */
  readonly allowNullBody: boolean;
  /** false: headers without a value are not sent. */
  readonly nullHeaders: boolean;
  readonly maxBytes: number;
  /** Of the run: sent when no header has it. */
  readonly traceparent?: string | undefined;
}

/** SpringRabbitMQHeaderFilterStrategy: they describe the content of another protocol. */
const ofContent: ReadonlySet<string> = new Set(["content-encoding", "content-length", "content-type"]);

/** Throws MessageConversionException for a body that is neither text nor bytes. */
export function outgoing(
  message: Message,
  form: OutgoingForm,
): { readonly content: Uint8Array; readonly properties: Properties } {
  const { names } = form;
  const text = (name: string): string | undefined => {
    const value = message.headers.get(name);
    return value === null || value === undefined ? undefined : asText(value);
  };
  const encoding = text(names.contentEncoding);
  const { content, isText } = contentOf(message.body, encoding, form);
  const priority = Number(text(names.priority));
  const timestamp = secondsOf(message.headers.get(names.timestamp));
  const properties: Properties = {
    contentType: text(names.contentType) ?? (isText ? "text/plain" : "application/octet-stream"),
    ...given("contentEncoding", encoding ?? (isText ? "UTF-8" : undefined)),
    headers: tableOf(message, form),
    durable: !/^(?:1|NON_PERSISTENT)$/i.test(text(names.deliveryMode) ?? ""),
    ...given("priority", Number.isInteger(priority) && text(names.priority) !== undefined ? priority : undefined),
    ...given("correlationId", text(names.correlationId)),
    ...given("replyTo", text(names.replyTo)),
    ...given("expiration", text(names.expiration)),
    ...given("messageId", text(names.messageId)),
    ...given("timestamp", timestamp),
    ...given("type", text(names.type)),
    ...given("userId", text(names.userId)),
    ...given("appId", text(names.appId)),
    ...given("clusterId", text(names.clusterId)),
  };
  return { content, properties };
}

function given<K extends keyof Properties>(name: K, value: Properties[K] | undefined): Partial<Properties> {
  return value === undefined ? {} : { [name]: value };
}

function contentOf(
  body: unknown,
  encoding: string | undefined,
  { allowNullBody, maxBytes }: OutgoingForm,
): { readonly content: Uint8Array; readonly isText: boolean } {
  if (body instanceof Uint8Array) return { content: body, isText: false };
  if (body === null || body === undefined) {
    if (allowNullBody) return { content: new Uint8Array(), isText: false };
    throw unsendable("the message has no body: write allowNullBody=true to send an empty one");
  }
  const isText = typeof body === "string" || body instanceof JsonText;
  if (!isText && markupOf(body) === undefined)
    throw unsendable(
      `the body is a ${javaType(body)}, which has no bytes: make it text first, such as marshal: {json: {}}`,
    );
  const charset = charsetNamed(encoding ?? "UTF-8");
  if (charset === undefined) throw unsendable(`a text cannot be sent with the content encoding '${encoding}'`);
  return { content: charset.encode(asText(body, maxBytes)), isText };
}

function unsendable(message: string): Error {
  return amqpFailure("support.converter.MessageConversionException", message);
}

/** The headers of the message, without those that direct a component or describe another content. */
function tableOf({ headers }: Message, { nullHeaders, traceparent }: OutgoingForm): Record<string, unknown> {
  const table: Record<string, unknown> = Object.create(null);
  if (traceparent !== undefined) table[traceparentName] = traceparent;
  for (const [name, value] of headers.entries()) {
    if (isSteeringHeader(name) || ofContent.has(name.toLowerCase())) continue;
    if (!nullHeaders && (value === null || value === undefined)) continue;
    // The server reads names of at most 255 bytes.
    if (Buffer.byteLength(name) <= 255) table[name] = fieldOf(value);
  }
  return table;
}

/** A value as a table has it: whole numbers as Java's long, and what has no type of its own as text. */
function fieldOf(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : String(value);
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return value.map(fieldOf);
  if (!isPlainObject(value)) return asText(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fieldOf(one)]));
}

function secondsOf(value: unknown): number | undefined {
  if (value === null || value === undefined) return undefined;
  const text = asText(value).trim();
  const ms = value instanceof Date ? value.getTime() : /^\d+$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isFinite(ms) && ms >= 0 ? Math.floor(ms / 1000) : undefined;
}
