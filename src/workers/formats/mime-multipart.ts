/** The data format `mimeMultipart` (Camel: MimeMultipartDataFormat): the body and its attachments as MIME parts. */

import { isSteeringHeader } from "../../shared/http-headers.ts";
import { randomHex } from "../../shared/ids.ts";
import type { Attachment } from "../engine/attachments.ts";
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { defineFormat } from "../engine/format.ts";
import {
  decodedContent,
  encodedWords,
  fieldOf,
  fieldsOf,
  MultipartError,
  type Part,
  parseField,
  readParts,
} from "../engine/multipart.ts";
import { compileRegex } from "../engine/regex.ts";
import { headOf, partBytes, wholeBytes } from "./mime-multipart/writer.ts";
import { bodyBytes, tooLarge, viewOf } from "./stream.ts";

const octets = "application/octet-stream";

export const mimeMultipart = defineFormat({
  name: "mimeMultipart",
  docs: "A MIME message of parts: writing puts the body and the attachments into one, reading makes the first part the body and the others attachments.",
  options: (z, { text, flag }) =>
    z.object({
      multipartSubType: text("What stands behind `multipart/` in the Content-Type that is written.").default("mixed"),
      multipartWithoutAttachment: flag(
        "Writes a MIME message for a body without attachments, too; without this such a body stays as it is.",
      ).default(false),
      headersInline: flag(
        "Has the MIME headers in the body; without this they are headers of the message, such as Content-Type.",
      ).default(false),
      includeHeaders: text(
        "Which headers of the message are written with `headersInline`: a regular expression over the whole name.",
      ).optional(),
      binaryContent: flag("Writes parts that are no text as they are; without this as Base64.").default(false),
    }),
  example: "marshal: { mimeMultipart: { multipartWithoutAttachment: true } }",
  marshal({ multipartSubType, multipartWithoutAttachment, headersInline, includeHeaders, binaryContent }, limits) {
    const included = includeHeaders === undefined ? undefined : compileRegex(includeHeaders, { caseInsensitive: true });
    if (!/^[!#$&^_.+A-Za-z0-9-]+$/.test(multipartSubType)) {
      throw new Error("multipartSubType is a word such as mixed, related or form-data");
    }
    return (exchange, body) => {
      const { message } = exchange;
      const bytes = bodyBytes(exchange, body);
      if (!multipartWithoutAttachment && !headersInline && !message.hasAttachments) return bytes;
      const type = message.headers.get("Content-Type");
      const parts = [
        partBytes(
          { contentType: type === null || type === undefined ? octets : asText(type), content: bytes },
          binaryContent,
        ),
      ];
      if (message.hasAttachments) {
        for (const [name, attachment] of message.attachments.entries()) {
          parts.push(partBytes({ ...attachment, name }, binaryContent));
        }
      }
      const boundary = `----=_Part_${randomHex(16)}`;
      const head: [string, string][] = [
        ["Date", new Date().toUTCString().replace("GMT", "+0000")],
        ["Message-ID", `<${randomHex(32)}@bulkhead>`],
        ["MIME-Version", "1.0"],
        ["Content-Type", `multipart/${multipartSubType}; boundary="${boundary}"`],
      ];
      const whole = wholeBytes(
        parts,
        boundary,
        headersInline ? headOf([...head, ...inlineHeaders(exchange, included)]) : "\r\n",
      );
      if (whole.length > limits.messageBodyBytes) throw tooLarge(limits.messageBodyBytes);
      message.headers.delete("Content-Type");
      if (message.hasAttachments) message.attachments.clear();
      if (!headersInline) for (const [name, value] of head) message.headers.set(name, value);
      return viewOf(whole);
    };
  },
  unmarshal({ headersInline }, limits) {
    const bounds = { parts: limits.headerCount, headBytes: limits.headerBytes };
    return (exchange, body) => {
      const bytes = bodyBytes(exchange, body);
      const read = headersInline ? inlinePart(bytes, bounds.headBytes) : { type: typeOf(exchange), content: bytes };
      const { value, parameters } = parseField(read.type ?? "");
      const boundary = parameters.get("boundary");
      if (!value.startsWith("multipart/") || boundary === undefined) return headersInline ? read.content : bytes;
      const parts = failing(() => readParts(read.content, boundary, bounds));
      const [first, ...others] = parts;
      if (first === undefined) return bytes;
      if (headersInline) receiveHeaders(exchange, (read as InlinePart).headers);
      else exchange.message.headers.delete("MIME-Version");
      exchange.message.headers.delete("Content-Type");
      for (const part of others) exchange.message.attachments.set(keyOf(part), attachmentOf(part));
      return receiveBody(exchange, first);
    };
  },
});

function typeOf({ message }: Exchange): string | undefined {
  const type = message.headers.get("Content-Type");
  return type === null || type === undefined ? undefined : asText(type);
}

function* inlineHeaders(
  { message }: Exchange,
  included: ReturnType<typeof compileRegex> | undefined,
): Generator<[name: string, value: string]> {
  if (included === undefined) return;
  for (const [name, value] of message.headers.entries()) {
    if (value !== null && value !== undefined && included.matches(name)) yield [name, asText(value)];
  }
}

interface InlinePart extends Part {
  readonly type: string | undefined;
}

/** Reads the head that the body begins with. */
function inlinePart(bytes: Uint8Array, headBytes: number): InlinePart {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const dos = buffer.indexOf("\r\n\r\n");
  const unix = buffer.indexOf("\n\n");
  const isDos = dos >= 0 && (unix < 0 || dos < unix);
  const end = isDos ? dos : unix;
  if (end < 0 || end > headBytes) throw malformed(new MultipartError("the body does not begin with MIME headers"));
  const headers = failing(() => fieldsOf(buffer.toString("utf8", 0, end)));
  const part = { headers, content: viewOf(buffer.subarray(end + (isDos ? 4 : 2))) };
  return { ...part, type: fieldOf(part, "content-type") };
}

const ofMime = new Set(["message-id", "mime-version", "content-type"]);

/** Leaves out headers that steer Camel's components. */
function receiveHeaders({ message }: Exchange, headers: Part["headers"]): void {
  for (const [name, value] of headers) {
    if (!ofMime.has(name.toLowerCase()) && !isSteeringHeader(name.toLowerCase())) message.headers.set(name, value);
  }
}

function receiveBody(exchange: Exchange, part: Part): Uint8Array {
  const { headers } = exchange.message;
  const type = fieldOf(part, "content-type") ?? "text/plain";
  if (type !== octets) {
    headers.set("Content-Type", type);
    const charset = parseField(type).parameters.get("charset");
    if (charset !== undefined) headers.set("Content-Encoding", charset);
  }
  return decodedContent(part.content, fieldOf(part, "content-transfer-encoding"));
}

/** The name of a file, else the content's id, else one that is made. */
function keyOf(part: Part): string {
  const name = fileNameOf(part);
  if (name !== undefined) return name;
  const id = fieldOf(part, "content-id")?.replace(/^<(.+)>$/, "$1");
  return id === undefined || id === "" ? `${randomHex(16)}@bulkhead` : encodedWords(id);
}

function fileNameOf(part: Part): string | undefined {
  const disposition = parseField(fieldOf(part, "content-disposition") ?? "").parameters.get("filename");
  return disposition ?? parseField(fieldOf(part, "content-type") ?? "").parameters.get("name");
}

function attachmentOf(part: Part): Attachment {
  const fileName = fileNameOf(part);
  return {
    ...(fileName !== undefined && { fileName }),
    contentType: fieldOf(part, "content-type") ?? "text/plain",
    headers: part.headers,
    content: decodedContent(part.content, fieldOf(part, "content-transfer-encoding")),
  };
}

function failing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof MultipartError ? malformed(error) : error;
  }
}

function malformed(error: MultipartError): FlowException {
  return new FlowException(
    "jakarta.mail.internet.ParseException",
    `the body is not a MIME multipart: ${error.message}`,
  );
}
