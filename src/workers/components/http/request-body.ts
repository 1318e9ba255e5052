/** Makes the body of a request (Camel: HttpProducer.createRequestEntity, HttpEntityConverter). */

import { charsetOfType, withCharset } from "../../../shared/content-charset.ts";
import { randomHex } from "../../../shared/ids.ts";
import { sendableBody } from "../../engine/body-bytes.ts";
import { charsetNameOf } from "../../engine/charset.ts";
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { FormBody } from "../../engine/form.ts";
import type { Headers } from "../../engine/headers.ts";
import { isData } from "../../engine/json-body.ts";
import { labelledText } from "../../engine/labelled-text.ts";
import type { HttpMethod } from "./options.ts";
import { fieldValue } from "./request-headers.ts";
import type { HttpSettings } from "./settings.ts";

export interface RequestBody {
  readonly bytes: Uint8Array;
  /** The Content-Type; undefined if the message has none. */
  readonly type: string | undefined;
}

const withBody: ReadonlySet<HttpMethod> = new Set(["POST", "PUT", "PATCH"]);

/**
 * Resolves undefined without a body. Lists and maps are sent as JSON, with its Content-Type unless a step has set one.
 * Throws FlowException for another body that is neither text nor bytes, and for an unsupported character set.
 */
export async function requestBody(
  exchange: Exchange,
  method: HttpMethod,
  settings: HttpSettings,
): Promise<RequestBody | undefined> {
  const { getWithBody, deleteWithBody, bridgeEndpoint, multipartUpload, multipartUploadName } = settings.options;
  const asked = (method === "GET" && getWithBody) || (method === "DELETE" && deleteWithBody);
  if (!withBody.has(method) && !asked) return undefined;
  const { body, headers } = exchange.message;
  if (body === null || body === undefined) return undefined;
  const content = sendableBody(body, exchange.run.limits.messageBodyBytes);
  const type = contentType(body, headers);
  const plain = typeof content === "string" ? encoded(content, type, exchange, settings) : { bytes: content, type };
  if (multipartUpload) return multipart(plain, multipartUploadName, typeof content === "string");
  if (bridgeEndpoint || !/^(?:x-)?gzip$/i.test(asText(headers.get("Content-Encoding")).trim())) return plain;
  return { bytes: await gzip(plain.bytes), type };
}

function contentType(body: unknown, headers: Headers): string | undefined {
  // The Content-Type of the request that began the run does not describe JSON that is made here.
  if (isData(body) && !(body instanceof FormBody) && !headers.isWritten("Content-Type")) return "application/json";
  const given = headers.get("Content-Type");
  return given === null || given === undefined ? undefined : fieldValue(asText(given));
}

/**
 * Text is sent in the character set that the Content-Type names, else in that of CamelCharsetName, which the type then
 * says; as UTF-8 without a type to say it, or where the set lacks a character.
 */
function encoded(text: string, type: string | undefined, exchange: Exchange, settings: HttpSettings): RequestBody {
  if (type === undefined || charsetOfType(type) !== undefined || !settings.options.contentTypeCharsetEnabled) {
    return labelledText(text, type);
  }
  const name = charsetNameOf(exchange);
  return labelledText(text, name === undefined ? type : withCharset(type, name));
}

/** Sends the body as the one field of a form (RFC 7578). */
function multipart({ bytes, type }: RequestBody, name: string, isText: boolean): RequestBody {
  const boundary = `bulkhead-${randomHex(32)}`;
  const partType = type ?? (isText ? "text/plain; charset=UTF-8" : "application/octet-stream");
  const quoted = name.replaceAll(/["\r\n]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted}"\r\nContent-Type: ${partType}\r\n\r\n`;
  return {
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  };
}

function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const { gzip: compress } = process.getBuiltinModule("node:zlib");
  return new Promise((resolve, reject) => {
    compress(bytes, (error, result) => (error === null ? resolve(result) : reject(error)));
  });
}
