/** The bytes of a message's body, as they are sent to a server. */
import { asText, javaType } from "./convert.ts";
import { FlowException } from "./exception.ts";
import { FormBody } from "./form.ts";
import { dataJson, isData } from "./json-body.ts";
import { JsonText } from "./message.ts";
import { markupOf } from "./xml-value.ts";

/** Text is UTF-8, lists and maps are JSON, null is an empty message. Throws FlowException for what has no bytes. */
export function bodyBytes(body: unknown, maxBytes: number): Uint8Array {
  if (body === null || body === undefined) return new Uint8Array();
  const sent = sendableBody(body, maxBytes);
  return typeof sent === "string" ? Buffer.from(sent) : sent;
}

/** Bytes as they are, or a text, of which who sends it makes bytes; not for null. Throws FlowException for what is neither. */
export function sendableBody(body: unknown, maxBytes: number): string | Uint8Array {
  if (body instanceof Uint8Array) return body;
  if (body instanceof FormBody) return body.encoded;
  if (typeof body !== "object" || body instanceof JsonText) return asText(body);
  const markup = markupOf(body);
  if (markup !== undefined) return markup;
  if (isData(body)) return dataJson(body, maxBytes);
  throw new FlowException(
    "org.apache.camel.InvalidPayloadException",
    `the body is a ${javaType(body)}, which cannot be sent: make it text first, such as marshal: {json: {}}`,
  );
}
