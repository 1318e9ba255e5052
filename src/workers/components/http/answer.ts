/**
 * Converts a server's answer to the message (text, JSON or bytes within the limit), or to the failure of the run for an
 * error status (Camel: HttpProducer.populateResponse).
 */

import { isUtf8 } from "node:buffer";
import { charsetOfType } from "../../../shared/content-charset.ts";
import { isSteeringHeader } from "../../../shared/http-headers.ts";
import { redact } from "../../../shared/redact.ts";
import { charsetNamed } from "../../engine/charset.ts";
import { asText } from "../../engine/convert.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { Headers } from "../../engine/headers.ts";
import { JsonText } from "../../engine/message.ts";
import { parseJson } from "../../engine/parse-json.ts";
import type { HttpRequest } from "./client.ts";
import { type MostBytes, type RawAnswer, tooLong } from "./exchange-once.ts";
import { commonHeaders } from "./request-headers.ts";
import type { HttpSettings } from "./settings.ts";

/** Media types whose bodies are read as text. */
const textual =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|x-ndjson|javascript|graphql|sql)\b|application\/x-www-form-urlencoded)/i;
const json = /^application\/(?:[\w.+-]*\+)?json\b/i;

/** Decodes the answer's Content-Encoding, if it is a supported one. Rejects for more than `most` bytes. */
export async function unpacked(answer: RawAnswer, most: MostBytes): Promise<RawAnswer> {
  const encodings = headerValue(answer, "content-encoding")?.toLowerCase().split(",") ?? [];
  let { body } = answer;
  let undone = 0;
  for (const encoding of encodings.map((name) => name.trim()).reverse()) {
    const undo = encoding === "" || encoding === "identity" ? undefined : decoders[encoding];
    if (undo === undefined && encoding !== "" && encoding !== "identity") break;
    if (undo !== undefined && body.length > 0) body = await undo(body, most);
    undone += 1;
  }
  if (encodings.length === 0 || undone < encodings.length) return answer;
  const headers = answer.headers.filter(([name]) => !/^content-(?:encoding|length|md5)$/i.test(name));
  return { ...answer, body, headers };
}

type Decoder = (bytes: Uint8Array, most: MostBytes) => Promise<Uint8Array>;
type Zlib = typeof import("node:zlib");

const gunzip: Decoder = (bytes, most) => inflated("gunzip", bytes, most);
const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  br: (bytes, most) => inflated("brotliDecompress", bytes, most),
  // Some servers send it with a zlib header, as RFC 9110 requires, others without.
  deflate: (bytes, most) => inflated(((bytes[0] ?? 0) & 15) === 8 ? "inflate" : "inflateRaw", bytes, most),
};

function inflated(
  how: keyof Pick<Zlib, "gunzip" | "inflate" | "inflateRaw" | "brotliDecompress">,
  bytes: Uint8Array,
  most: MostBytes,
): Promise<Uint8Array> {
  const undo = process.getBuiltinModule("node:zlib")[how] as Zlib["gunzip"];
  return new Promise((resolve, reject) => {
    undo(bytes, { maxOutputLength: most.bytes }, (error, result) => {
      if (error === null) resolve(result);
      else if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") reject(tooLong(most));
      else {
        const message = `the answer's body is not what its Content-Encoding says: ${exceptionMessage(error)}`;
        reject(new FlowException("java.io.IOException", message));
      }
    });
  });
}

/** Whether an answer with this status to this method has a body, even an empty one. */
export function mayHaveBody({ status }: RawAnswer, method: string): boolean {
  return method !== "HEAD" && status !== 204 && status !== 304;
}

/** Returns null without a body. An empty one has no bytes, like Camel's empty stream. */
export function bodyOf(answer: RawAnswer, method: string): unknown {
  const { body } = answer;
  if (!mayHaveBody(answer, method)) return null;
  const type = headerValue(answer, "content-type");
  if (body.length === 0 || (type !== undefined && !textual.test(type))) return body;
  const text = decodedText(body, charsetOfType(type));
  if (text === undefined || type === undefined || !json.test(type)) return text ?? body;
  try {
    return new JsonText(text, parseJson(text));
  } catch {
    return text;
  }
}

/** Returns undefined for bytes that are not text in the character set, by default UTF-8. */
export function decodedText(bytes: Uint8Array, charset: string | undefined): string | undefined {
  if (charset === undefined || /^utf-?8$/i.test(charset)) {
    return isUtf8(bytes) ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString() : undefined;
  }
  return charsetNamed(charset)?.decode(bytes);
}

export function headerValue({ headers }: RawAnswer, lowerName: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === lowerName)?.[1];
}

/** HttpProtocolHeaderFilterStrategy: headers of the message that the answer's headers replace. */
const protocolHeaders: ReadonlySet<string> = new Set([
  ...commonHeaders,
  ...(
    "content-encoding content-language content-location content-md5 content-range dav depth destination etag expect expires from if " +
    "if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location lock-token max-forwards overwrite " +
    "proxy-authenticate proxy-authorization range referer retry-after server status-uri te timeout user-agent vary www-authenticate"
  ).split(" "),
]);

/** Leaves the message unchanged if the answer exceeds a limit. */
export function storeAnswer(exchange: Exchange, answer: RawAnswer, method: string, settings: HttpSettings): void {
  const { message, properties } = exchange;
  const { copyHeaders, skipResponseHeaders, ignoreResponseBody } = settings.options;
  const before = message.snapshot();
  try {
    message.body = ignoreResponseBody ? null : bodyOf(answer, method);
    const { headers } = message;
    for (const [name] of [...headers.entries()]) {
      if (!copyHeaders || protocolHeaders.has(name.toLowerCase())) headers.delete(name);
    }
    storeStatus(headers, answer);
    if (!skipResponseHeaders) {
      for (const [name, value] of answerHeaders(answer)) headers.set(name, value);
      const type = headerValue(answer, "content-type");
      if (type !== undefined) properties.set("CamelCharsetName", charsetOfType(type)?.toUpperCase() ?? "UTF-8");
    }
  } catch (error) {
    message.restore(before);
    throw error;
  }
}

/** Also sets the status of a failed call, whose message stays unchanged otherwise. */
export function storeStatus(headers: Headers, { status, statusText }: RawAnswer): void {
  headers.set("CamelHttpResponseCode", status);
  const text = Buffer.from(statusText, "latin1").toString();
  if (text !== "") headers.set("CamelHttpResponseText", text);
}

/** Omits headers that control Camel's components; a repeated name and `[a, b]` become lists. */
function answerHeaders({ headers }: RawAnswer): ReadonlyMap<string, unknown> {
  const byName = new Map<string, { readonly name: string; readonly values: string[]; list: boolean }>();
  for (const [name, raw] of headers) {
    const lower = name.toLowerCase();
    if (isSteeringHeader(lower)) continue;
    const value = Buffer.from(raw, "latin1").toString();
    const list = /^\s*\[(.*)\]\s*$/s.exec(value)?.[1];
    const values = list === undefined ? [value] : list.split(",").map((one) => one.trim());
    const present = byName.get(lower);
    if (present === undefined) {
      byName.set(lower, { name: lower === "content-type" ? "Content-Type" : name, values, list: list !== undefined });
    } else if (lower !== "content-type") {
      present.values.push(...values);
      present.list = true;
    }
  }
  return new Map([...byName.values()].map(({ name, values, list }) => [name, list ? values : values[0]]));
}

/** Makes an HttpOperationFailedException with the values of its getters. Like Camel, masks secrets in the URI. */
export function failedOperation(request: HttpRequest, answer: RawAnswer, settings: HttpSettings): FlowException {
  const { url, method } = request;
  const { status, statusText, headers, body } = answer;
  const uri = redact(url.href);
  const location = status >= 300 && status < 400 ? headerValue(answer, "location") : undefined;
  const charset = charsetOfType(headerValue(answer, "content-type"));
  const none = settings.options.ignoreResponseBody || !mayHaveBody(answer, method);
  const details = {
    uri,
    statusCode: status,
    statusText: statusText === "" ? null : statusText,
    redirectLocation: location ?? null,
    redirectError: status >= 300 && status < 400,
    responseHeaders: Object.fromEntries(headers),
    responseBody: none ? null : (decodedText(body, charset) ?? asText(body)),
    httpResponseCode: status,
    httpResponseStatus: statusText === "" ? null : statusText,
  };
  const where = location === undefined ? "" : `, redirectLocation: ${location}`;
  const message = `HTTP operation failed invoking ${uri} with statusCode: ${status}${where}`;
  return new FlowException("org.apache.camel.http.base.HttpOperationFailedException", message, { details });
}
