/** What a mapping maps: a message as JSON data, XML in the form of `xmlFormReader`. */
import type { Limits } from "../../shared/limits.ts";
import type { MappingFormat } from "../../shared/message-mapping-model.ts";
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { JsonText } from "../engine/exchange.ts";
import { FormBody } from "../engine/form.ts";
import { checkJson } from "../engine/parse-json.ts";
import { XmlNode } from "../engine/xml-value.ts";
import { xmlFormReader, xmlLibrary } from "../formats/xml-reader.ts";
import { jsonInput } from "../languages/json-input.ts";

const malformed = "com.fasterxml.jackson.core.JsonParseException";

/**
 * Text and bytes are read; what is data already is taken as it is. Whole numbers of JSON text beyond 2^53 become texts of the same
 * digits: a JavaScript number would be another one. Throws FlowException for what is not of the format.
 */
export function readSource(body: unknown, format: MappingFormat, limits: Limits): unknown {
  return format === "xml" ? readXml(body, limits) : readExactly(body);
}

function readXml(body: unknown, { messageBodyBytes }: Limits): unknown {
  if (typeof body !== "string" && !(body instanceof Uint8Array) && !(body instanceof XmlNode)) {
    const value = jsonInput(body, malformed);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw new FlowException(malformed, "the input is not XML: its source format is xml, so the body is a text");
  }
  const bounds = { maxString: messageBodyBytes, maxMarks: Math.floor(messageBodyBytes / 8) };
  return xmlFormReader(xmlLibrary.module(), bounds)(asText(body).replace(/^\ufeff/, ""));
}

/** So many digits in a row could be a whole number that is not exact. */
const manyDigits = /\d{16}/;
const wholeNumber = /^-?\d+$/;

function readExactly(body: unknown): unknown {
  const text = textOf(body);
  if (text === undefined || !manyDigits.test(text)) return jsonInput(body, malformed);
  try {
    checkJson(text);
    return JSON.parse(text, exactly);
  } catch (error) {
    if (error instanceof RangeError) throw new FlowException("LimitExceededException", "the input nests too deep");
    return jsonInput(text, malformed);
  }
}

function textOf(body: unknown): string | undefined {
  if (typeof body === "string") return body;
  if (body instanceof JsonText && !(body instanceof FormBody)) return body.text;
  return body instanceof Uint8Array ? asText(body) : undefined;
}

function exactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const { source = "" } = context ?? {};
  return wholeNumber.test(source) ? source : value;
}
