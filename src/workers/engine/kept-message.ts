/**
 * The form in which a message is kept beyond its run: failed messages, messages of open aggregations. It comes back with
 * its body, headers, properties and variables, each with its type. Only what a library holds becomes plainer: an XML
 * node its markup, an exception its class name, message and details, a list that is made while it is read a list.
 */
import type { Attachment } from "./attachments.ts";
import { FlowException } from "./exception.ts";
import { Exchange, type ExchangePattern } from "./exchange.ts";
import { Headers } from "./headers.ts";
import { type OwnValues, ValueReader, ValueWriter } from "./kept-value.ts";
import { Message } from "./message.ts";
import type { Run } from "./run.ts";

/** The first byte: the version of the form. Behind it are the length of the JSON, the JSON, and bytes that it names. */
const form = 1;
const headBytes = 5;

interface KeepOptions {
  /** The most bytes of the message. */
  readonly maxBytes: number;
  /** Whether a header, in any case, is left out. */
  readonly without?: (header: string) => boolean;
}

/** Throws LimitExceededException for a message that is too large or nests too deep. */
export function keepMessage(exchange: Exchange, { maxBytes, without }: KeepOptions): Uint8Array<ArrayBuffer> {
  const own: OwnValues = {
    write: (value, writer, depth) => writeOwn(value, writer, depth, without),
    read: () => undefined,
  };
  const writer = new ValueWriter(maxBytes, own);
  const json = Buffer.from(exchangeJson(exchange, writer, 0, without));
  const aside = writer.parts.reduce((sum, { length }) => sum + length, 0);
  const kept = Buffer.from(new ArrayBuffer(headBytes + json.length + aside));
  kept.writeUInt8(form, 0);
  kept.writeUInt32LE(json.length, 1);
  kept.set(json, headBytes);
  let at = headBytes + json.length;
  for (const part of writer.parts) {
    kept.set(part, at);
    at += part.length;
  }
  return kept;
}

/** Makes an exchange that begins in this route. Throws FlowException for bytes that are not of this form. */
export function restoreMessage(kept: Uint8Array, run: Run<Exchange>, routeId: string): Exchange {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.length);
  const end = bytes.length < headBytes ? Number.POSITIVE_INFINITY : headBytes + bytes.readUInt32LE(1);
  if (bytes[0] !== form || end > bytes.length) throw unreadable(bytes[0]);
  const restored = (parts: KeptExchange): Exchange => exchangeOf(parts, run, routeId);
  const reader = new ValueReader(bytes.subarray(end), run.limits.messageBodyBytes, {
    write: () => undefined,
    read: (tag, content) =>
      tag === "exchange" || tag === "message" ? ownOf(tag, restored(content as KeptExchange)) : undefined,
  });
  return restored(reader.parse(bytes.toString("utf8", headBytes, end)) as KeptExchange);
}

/** An exchange as JSON has it. `pattern` is undefined for a message alone. */
interface KeptExchange {
  readonly pattern?: ExchangePattern;
  readonly body: unknown;
  readonly written: boolean;
  readonly headers: readonly (readonly [name: string, value: unknown])[];
  /** The names of the headers that a step has set. */
  readonly set: readonly string[];
  readonly attachments?: readonly (readonly [name: string, attachment: KeptAttachment])[];
  readonly properties?: readonly (readonly [name: string, value: unknown])[];
  readonly variables?: readonly (readonly [name: string, value: unknown])[];
}

interface KeptAttachment extends Omit<Attachment, "headers" | "fileName"> {
  readonly fileName: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

function exchangeJson(
  { message, pattern, properties, variables }: Exchange,
  writer: ValueWriter,
  depth: number,
  without: KeepOptions["without"],
): string {
  const parts = [
    `"pattern":"${pattern}"`,
    `"properties":${writer.members(properties, depth)}`,
    `"variables":${writer.members(variables, depth)}`,
    messageMembers(message, writer, depth, without),
  ];
  return `{${parts.join(",")}}`;
}

function messageMembers(message: Message, writer: ValueWriter, depth: number, without: KeepOptions["without"]): string {
  const { headers, body, written } = message;
  const kept = [...headers.entries()].filter(([name]) => without?.(name) !== true);
  const set = kept.map(([name]) => name).filter((name) => headers.isWritten(name));
  const parts = [
    `"headers":${writer.members(kept, depth)}`,
    `"set":${writer.write(set)}`,
    `"written":${written}`,
    `"body":${writer.write(body, depth)}`,
  ];
  if (message.hasAttachments) {
    const attached = Array.from(message.attachments.entries(), ([name, { fileName = null, ...attachment }]) => {
      return [name, { fileName, ...attachment }] as const;
    });
    parts.push(`"attachments":${writer.members(attached, depth)}`);
  }
  return parts.join(",");
}

/** Writes an exchange or a message that is a value of another message, as in a group of exchanges. */
function writeOwn(
  value: object,
  writer: ValueWriter,
  depth: number,
  without: KeepOptions["without"],
): readonly [tag: string, json: string] | undefined {
  if (value instanceof Exchange) return ["exchange", exchangeJson(value, writer, depth, without)];
  if (value instanceof Message) return ["message", `{${messageMembers(value, writer, depth, without)}}`];
  return undefined;
}

function ownOf(tag: "exchange" | "message", exchange: Exchange): Exchange | Message {
  return tag === "exchange" ? exchange : exchange.message;
}

function exchangeOf(kept: KeptExchange, run: Run<Exchange>, routeId: string): Exchange {
  const { limits } = run;
  const headers = new Headers(limits);
  const set = new Set(kept.set);
  for (const [name, value] of kept.headers) {
    if (set.has(name)) headers.set(name, value);
    else headers.receive(name, value);
  }
  const message = new Message(limits, headers, kept.written ? null : kept.body);
  if (kept.written) message.body = kept.body;
  for (const [name, { fileName, ...attachment }] of kept.attachments ?? []) {
    message.attachments.set(name, { ...attachment, ...(fileName !== null && { fileName }) });
  }
  const exchange = new Exchange(run, routeId, message);
  if (kept.pattern !== undefined) exchange.pattern = kept.pattern;
  for (const [name, value] of kept.properties ?? []) exchange.properties.set(name, value);
  for (const [name, value] of kept.variables ?? []) exchange.variables.set(name, value);
  return exchange;
}

function unreadable(found: number | undefined): FlowException {
  const what = found === undefined ? "empty" : found === form ? "cut" : `of form ${found}`;
  return new FlowException(
    "java.io.InvalidObjectException",
    `the kept message is ${what}, and this version of the runtime reads form ${form}`,
  );
}
