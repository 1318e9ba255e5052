/**
 * Reads a form of `multipart/form-data` (RFC 7578) as Camel's platform-http does
 * (VertxPlatformHttpConsumer.populateMultiFormData, populateAttachments): fields become headers and a map as the body,
 * files attachments, and a single file the body.
 */
import { isSteeringHeader } from "../shared/http-headers.ts";
import type { Limits } from "../shared/limits.ts";
import type { HttpTrigger } from "../shared/manifest.ts";
import type { Attachment } from "./engine/attachments.ts";
import { charsetNamed } from "./engine/charset.ts";
import { limitExceeded } from "./engine/exception.ts";
import type { Headers } from "./engine/headers.ts";
import { Message } from "./engine/message.ts";
import { decodedContent, fieldOf, MultipartError, type Part, parseField, readParts } from "./engine/multipart.ts";

interface NamedPart {
  readonly name: string;
  /** Absent: it is a field. */
  readonly fileName: string | undefined;
  readonly type: string;
  readonly part: Part;
  readonly content: Uint8Array;
}

/**
 * Makes the message of a request. Throws MultipartError for a malformed body, and LimitExceededException for more fields
 * or files than a message holds.
 */
export function receiveMultipart(body: Uint8Array, headers: Headers, limits: Limits, trigger: HttpTrigger): Message {
  const parts = partsOf(body, String(headers.get("Content-Type") ?? ""), limits);
  const fields = new Map<string, string | string[]>();
  for (const { name, fileName, type, content } of parts) {
    if (fileName !== undefined || isSteeringHeader(name)) continue;
    const value = textOf(content, type);
    const present = fields.get(name);
    fields.set(name, present === undefined ? value : [present, value].flat());
  }
  for (const [name, value] of fields) {
    const present = headers.get(name);
    headers.receive(name, present === undefined ? value : [present, value].flat());
  }
  const files = parts.filter(({ fileName }) => fileName !== undefined);
  headers.receive("CamelAttachmentsSize", files.length);
  const accepted = files.filter(({ fileName }) => isAccepted(fileName ?? "", trigger.fileExtensions));
  const only = files.length === 1 ? accepted[0] : undefined;
  if (only !== undefined) {
    headers.receive("CamelFileName", only.fileName);
    headers.receive("CamelFileLength", only.content.length);
    headers.receive("CamelFileContentType", parseField(only.type).value);
  }
  const map =
    trigger.formAsBody && fields.size > 0 ? Object.assign(Object.create(null), Object.fromEntries(fields)) : null;
  const message = new Message(limits, headers, only === undefined ? map : fileBody(only.content));
  for (const one of accepted) message.attachments.set(one.name, attachmentOf(one));
  return message;
}

function partsOf(body: Uint8Array, contentType: string, { headerCount, headerBytes }: Limits): readonly NamedPart[] {
  const boundary = parseField(contentType).parameters.get("boundary");
  if (boundary === undefined) throw new MultipartError("its Content-Type has no boundary");
  const parts = readParts(body, boundary, { parts: headerCount, headBytes: headerBytes });
  let heads = 0;
  return parts.map((part) => {
    const { value, parameters } = parseField(fieldOf(part, "content-disposition") ?? "");
    const name = parameters.get("name");
    if (value !== "form-data" || name === undefined) throw new MultipartError("a part has no name");
    heads += part.headers.reduce((sum, [key, text]) => sum + key.length + text.length, 0);
    if (heads > headerBytes)
      throw limitExceeded("headerBytes", `the heads of a form's parts have at most ${headerBytes} bytes`);
    const fileName = parameters.get("filename");
    const type = fieldOf(part, "content-type") ?? (fileName === undefined ? "text/plain" : "application/octet-stream");
    const content = decodedContent(part.content, fieldOf(part, "content-transfer-encoding"));
    return { name, fileName: fileName === undefined ? undefined : lastName(fileName), type, part, content };
  });
}

/** A browser may send the path that a file had with its user. */
function lastName(fileName: string): string {
  return fileName.slice(Math.max(fileName.lastIndexOf("/"), fileName.lastIndexOf("\\")) + 1);
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(content: Uint8Array, type: string): string {
  const charset = parseField(type).parameters.get("charset");
  const named = charset === undefined || /^utf-?8$/i.test(charset) ? undefined : charsetNamed(charset);
  if (named !== undefined) return named.decode(content);
  try {
    return strict.decode(content);
  } catch {
    throw new MultipartError("a field is not UTF-8");
  }
}

/** Text if it is UTF-8, else bytes, as a file that a flow reads. */
function fileBody(content: Uint8Array): string | Uint8Array {
  try {
    return strict.decode(content);
  } catch {
    return new Uint8Array(content);
  }
}

/** `txt` and `tar.gz`; a name without an ending is accepted, as in Camel. */
function isAccepted(fileName: string, extensions: readonly string[] | undefined): boolean {
  const dot = fileName.indexOf(".");
  if (extensions === undefined || extensions.includes("*") || dot < 0) return true;
  const name = fileName.toLowerCase();
  return [name.slice(dot + 1), name.slice(name.lastIndexOf(".") + 1)].some((ending) => extensions.includes(ending));
}

function attachmentOf({ fileName = "", type, part, content }: NamedPart): Attachment {
  return { fileName, contentType: type, headers: part.headers, content };
}
