/**
 * Converts JSON bodies of rest services to values, and values to JSON (Camel: RestBindingAdvice.unmarshal and marshal).
 */

import { jsonPlace } from "../../../shared/json.ts";
import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { FormBody } from "../../engine/form.ts";
import { ownCopy } from "../../engine/in-place.ts";
import { JsonText } from "../../engine/message.ts";
import { readable } from "../../engine/message-text.ts";
import { parseJson } from "../../engine/parse-json.ts";
import { writeJson } from "../../engine/write-json.ts";
import { isBlank, type Rejection } from "./validate-request.ts";

export interface Binding {
  readonly bindingMode: "off" | "auto" | "json";
  readonly consumes?: string | undefined;
  readonly produces?: string | undefined;
  readonly validate: boolean;
  readonly skipBindingOnErrorCode: boolean;
  readonly enableNoContentResponse: boolean;
}

interface Kinds {
  readonly xml: boolean;
  readonly json: boolean;
}

/**
 * Parses the request's body. A body that is not JSON fails with status 400, or is rejected where requests are
 * validated.
 */
export function bindRequest(exchange: Exchange, { bindingMode, consumes, validate }: Binding): Rejection | undefined {
  if (bindingMode === "off") return undefined;
  const { message } = exchange;
  const said = kindsOf(header(message.headers.get("Content-Type")), consumes);
  const body = readable(exchange, message.body);
  if (isBlank(body) || (bindingMode === "auto" && (said.xml ? !said.json : looksLikeXml(body, said)))) return undefined;
  if (body instanceof JsonText && !(body instanceof FormBody)) {
    message.body = ownCopy(body.value);
    return undefined;
  }
  const text = asText(body);
  try {
    message.body = parseJson(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    if (validate) return { status: 400, text: "Invalid JSon payload." };
    message.headers.set("CamelHttpResponseCode", 400);
    throw new FlowException(
      "com.fasterxml.jackson.core.JsonParseException",
      `the request's body is not JSON${jsonPlace(text)}`,
    );
  }
}

/** Neither header nor configuration names the type, so Camel tests whether the body begins like XML. */
function looksLikeXml(body: unknown, { xml, json }: Kinds): boolean {
  return xml === json && !(body instanceof JsonText) && asText(body).startsWith("<");
}

/** Writes the reply's body as JSON where the service binds it. A body without a Content-Type gets one, with a single type. */
export function bindReply({ message }: Exchange, accept: string | undefined, binding: Binding, maxBytes: number): void {
  const { headers } = message;
  const { bindingMode, produces, skipBindingOnErrorCode, enableNoContentResponse } = binding;
  if (skipBindingOnErrorCode && Number(headers.get("CamelHttpResponseCode") ?? 0) >= 300) return;
  let { xml, json } = kindsOf(accept, header(headers.get("Content-Type")), produces);
  if (bindingMode === "json") [xml, json] = [false, true];
  else if (bindingMode === "auto" && xml === json) [xml, json] = [false, true];
  else if (xml && json) xml = false;
  if ((message.body ?? null) === null) return;
  if ((headers.get("Content-Type") ?? null) === null) {
    const type = json ? "application/json" : xml ? "application/xml" : produces;
    if (type !== undefined) headers.set("Content-Type", type);
  }
  if (bindingMode === "off" || !json) return;
  if (header(headers.get("Content-Type"))?.includes("json") !== true) return;
  const text = writeJson(message.body, maxBytes);
  headers.set("Content-Type", "application/json");
  const empty = enableNoContentResponse && (text === "[]" || text === "{}");
  if (empty) headers.set("CamelHttpResponseCode", 204);
  message.body = empty ? "" : text;
}

/** Uses the first of these texts that names XML or JSON. */
function kindsOf(...texts: readonly (string | undefined)[]): Kinds {
  for (const text of texts) {
    const lower = text?.toLowerCase() ?? "";
    const kinds = { xml: lower.includes("xml"), json: lower.includes("json") };
    if (kinds.xml || kinds.json) return kinds;
  }
  return { xml: false, json: false };
}

function header(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : asText(value).toLowerCase();
}
