/** Functions that read the attachments of a message (Camel: AttachmentSimpleFunctionFactory). */

import { attachmentValue } from "../../../engine/attachment-value.ts";
import type { Attachment } from "../../../engine/attachments.ts";
import { ExpressionSyntaxError } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { convertIn } from "../../../engine/message-text.ts";
import { type Argument, argumentsOf, evalOf, refuseRest } from "../arguments.ts";
import { type Call, type Eval, type FunctionTable, simpleText } from "../eval.ts";
import { followPath } from "../ognl.ts";
import { readKeyed, typeArgument } from "./message.ts";

export const attachmentFunctions: FunctionTable = {
  attachments(call) {
    if (call.rest === "") return (exchange) => Object.fromEntries(shown(exchange));
    if (/^\.(?:size|length)(?:\(\))?$/.test(call.rest)) return ({ message }) => sizeOf(message);
    throw new ExpressionSyntaxError("write ${attachments}, ${attachments.size} or ${attachment[name]}", call.index);
  },
  attachmentsKeys: (call) =>
    followPath((exchange) => shown(exchange).map(([name]) => name), call.rest, call.index, call),
  attachment: (call) =>
    readKeyed(call, (exchange, name) => {
      const found = attachmentOf(exchange, name);
      return found === undefined ? null : describe(found);
    }),
  attachmentContent: (call) => ofOne(call, "attachmentContent(key)", (found) => attachmentValue(found)),
  attachmentContentAs: (call) => typed(call, "attachmentContentAs(key,type)", 2, (found) => attachmentValue(found)),
  attachmentContentAsText: (call) =>
    ofOne(call, "attachmentContentAsText(key)", (found, _name, exchange) =>
      simpleText(attachmentValue(found), exchange),
    ),
  attachmentContentType: (call) => ofOne(call, "attachmentContentType(key)", ({ contentType }) => contentType),
  attachmentHeader: (call) => ofOne(call, "attachmentHeader(key,name)", headerOf, 2),
  attachmentHeaderAs: (call) => typed(call, "attachmentHeaderAs(key,name,type)", 3, headerOf),
  setAttachment,
  clearAttachments(call) {
    refuseRest(call);
    return ({ message }) => {
      if (message.hasAttachments) message.attachments.clear();
      return null;
    };
  },
};

/** Types by the ends of names, as Camel's data sources have them. */
const types: Readonly<Record<string, string>> = {
  txt: "text/plain",
  html: "text/html",
  htm: "text/html",
  gif: "image/gif",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  tif: "image/tiff",
  tiff: "image/tiff",
};

/** `setAttachment(key,exp)`, without `exp` of the body; null takes the attachment out. The result is null, so a template shows nothing. */
function setAttachment(call: Call): Eval {
  const { list } = argumentsOf(call, "setAttachment(key)} or ${setAttachment(key,exp)", 1, 2);
  const keyOf = evalOf(call, list[0]);
  const contentOf = evalOf(call, list[1]);
  return (exchange, body) => {
    const { attachments } = exchange.message;
    const name = simpleText(keyOf(exchange, body), exchange);
    const content = convertIn(exchange, contentOf(exchange, body), "byte[]");
    if (content instanceof Uint8Array) {
      const contentType = types[/\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ""] ?? "application/octet-stream";
      attachments.set(name, { fileName: name, contentType, headers: [], content });
    } else attachments.delete(name);
    return null;
  };
}

type Read = (found: Attachment, name: string, exchange: Exchange) => unknown;

/** Reads an attachment that the first argument names; the second one is passed on. null without one. */
function ofOne(call: Call, usage: string, read: Read, count = 1): Eval {
  const { list, path, pathIndex } = argumentsOf(call, usage, count, count);
  return followPath(reading(call, list, read), path, pathIndex, call);
}

/** As `ofOne`; the last argument is a type. */
function typed(call: Call, usage: string, count: number, read: Read): Eval {
  const { list, path, pathIndex } = argumentsOf(call, usage, count, count);
  const type = typeArgument(call, list.at(-1) as Argument);
  const value = reading(call, list.slice(0, -1), read);
  return followPath((exchange, body) => convertIn(exchange, value(exchange, body), type), path, pathIndex, call);
}

function reading(call: Call, [key, name]: readonly Argument[], read: Read): Eval {
  const keyOf = evalOf(call, key);
  const nameOf: Eval = name === undefined ? () => "" : evalOf(call, name);
  return (exchange, body) => {
    const found = attachmentOf(exchange, simpleText(keyOf(exchange, body), exchange));
    return found === undefined ? null : (read(found, simpleText(nameOf(exchange, body), exchange), exchange) ?? null);
  };
}

function headerOf({ headers }: Attachment, name: string): string | undefined {
  return headers.find(([given]) => given.toLowerCase() === name.toLowerCase())?.[1];
}

/** A number that no attachment is named by is the place of one. */
function attachmentOf({ message }: Exchange, name: string): Attachment | undefined {
  if (!message.hasAttachments) return undefined;
  const named = message.attachments.get(name);
  if (named !== undefined || !/^\d{1,6}$/.test(name)) return named;
  return [...message.attachments.entries()][Number(name)]?.[1];
}

function sizeOf(message: Exchange["message"]): number {
  return message.hasAttachments ? message.attachments.size : 0;
}

function shown({ message }: Exchange): [name: string, value: unknown][] {
  if (!message.hasAttachments) return [];
  return Array.from(message.attachments.entries(), ([name, attachment]) => [name, describe(attachment)]);
}

function describe(attachment: Attachment): unknown {
  const { fileName = null, contentType, content } = attachment;
  return { name: fileName, contentType, contentLength: content.length, content: attachmentValue(attachment) };
}
