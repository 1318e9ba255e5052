/** What a mapping maps: a message as JSON data, XML in the form of `xmlFormReader`. */
import type { Limits } from "../../shared/limits.ts";
import type { MappingFormat } from "../../shared/mapping-models.ts";
import { asText } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import { XmlNode } from "../engine/xml-value.ts";
import { xmlFormReader, xmlLibrary } from "../formats/xml-reader.ts";
import { jsonInput } from "../languages/json-input.ts";

const malformed = "com.fasterxml.jackson.core.JsonParseException";

/**
 * Text and bytes are read; what is data already is taken as it is. Whole numbers beyond 2^53 are bigints. Throws FlowException for what is not of the format.
 */
export function readSource(body: unknown, format: MappingFormat, limits: Limits): unknown {
  return format === "xml" ? readXml(body, limits) : jsonInput(body, malformed);
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
