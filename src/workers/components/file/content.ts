/** Converts between the content of a file and the body of a message. */
import type { Limits } from "../../../shared/limits.ts";
import { type Charset, charsetNamed } from "../../engine/charset.ts";
import { asText, javaType } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { FormBody } from "../../engine/form.ts";
import { JsonText } from "../../engine/message.ts";
import { markupOf } from "../../engine/xml-value.ts";

export type Reader = (bytes: Buffer) => string | Uint8Array;

/** Without a character set, content is text if it is UTF-8, else bytes. Throws for an unknown character set. */
export function readerOf(name: string | undefined): Reader {
  const charset = charsetOf(name);
  if (charset !== undefined) return (bytes) => charset.decode(bytes);
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (bytes) => {
    try {
      return strict.decode(bytes);
    } catch {
      return new Uint8Array(bytes);
    }
  };
}

export type Writer = (body: unknown) => Uint8Array;

/**
 * Writes UTF-8 without a character set. The writer throws InvalidPayloadException for a body without bytes, such as a
 * list, a map or a number, as in Camel.
 */
export function writerOf(name: string | undefined, { messageBodyBytes }: Pick<Limits, "messageBodyBytes">): Writer {
  const charset = charsetOf(name) ?? charsetOf("UTF-8");
  return (body) => {
    if (body instanceof Uint8Array && name === undefined) return body;
    if (!hasBytes(body)) {
      const message = `No body available of type: java.io.InputStream but has type: ${javaType(body)}: make it text first, such as marshal: {json: {}}, or convertBodyTo: {type: String}`;
      throw new FlowException("org.apache.camel.InvalidPayloadException", message);
    }
    return (charset as Charset).encode(asText(body, messageBodyBytes));
  };
}

function hasBytes(body: unknown): boolean {
  if (typeof body === "string" || body instanceof Uint8Array || markupOf(body) !== undefined) return true;
  return body instanceof JsonText && !(body instanceof FormBody);
}

function charsetOf(name: string | undefined): Charset | undefined {
  if (name === undefined) return undefined;
  const charset = charsetNamed(name);
  if (charset === undefined) throw new Error(`charset '${name}' is not one that the runtime has`);
  return charset;
}
