/**
 * Validates a request by the rules of its rest service (Camel: DefaultRestClientRequestValidator 4.22, with its texts).
 */

import { asText } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { JsonText } from "../../engine/message.ts";
import { readable } from "../../engine/message-text.ts";
import { parseJson } from "../../engine/parse-json.ts";

export interface Rejection {
  readonly status: number;
  readonly text: string | null;
}

export interface RequestRules {
  readonly consumes?: string | undefined;
  readonly produces?: string | undefined;
  readonly allowed?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly requiredQuery: readonly string[];
  readonly requiredHeaders: readonly string[];
  readonly requiredBody: boolean;
}

/** Returns undefined for a valid request. */
export function rejectionOf(exchange: Exchange, rules: RequestRules): Rejection | undefined {
  const { headers } = exchange.message;
  const body = readable(exchange, exchange.message.body);
  const contentType = headerText(headers.get("Content-Type"));
  if (!accepts(rules.consumes, contentType)) return { status: 415, text: null };
  if (!accepts(rules.produces, headerText(headers.get("Accept")))) return { status: 406, text: null };
  if (!rules.requiredQuery.every((name) => headers.has(name))) {
    return bad("Some of the required query parameters are missing.");
  }
  if (!rules.requiredHeaders.every((name) => headers.has(name))) {
    return bad("Some of the required HTTP headers are missing.");
  }
  for (const [name, values] of Object.entries(rules.allowed ?? {})) {
    const value = headers.get(name) ?? null;
    if (value !== null && !values.some((allowed) => allowed === value)) {
      return bad("Some of the query parameters or HTTP headers has a not-allowed value.");
    }
  }
  const blank = isBlank(body);
  if (rules.requiredBody && blank) return bad("The request body is missing.");
  if (contentType !== undefined && accepts("application/json", contentType) && !blank && !isJson(body)) {
    return bad("Invalid JSon payload.");
  }
  return undefined;
}

function bad(text: string): Rejection {
  return { status: 400, text };
}

function headerText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : asText(value);
}

/** Camel's RestUtil.isValidOrAcceptedContentType: the only media range that counts is any type at all, and parts of names match. */
function accepts(valid: string | undefined, target: string | undefined): boolean {
  if (valid === undefined || target === undefined || target.includes("*/*")) return true;
  const plain = (target.split(";")[0] as string).toLowerCase();
  return valid.toLowerCase().includes(plain);
}

export function isBlank(body: unknown): boolean {
  return body === null || body === undefined || (!(body instanceof JsonText) && asText(body).trim() === "");
}

function isJson(body: unknown): boolean {
  if (body instanceof JsonText) return true;
  try {
    parseJson(asText(body));
    return true;
  } catch (error) {
    if (error instanceof FlowException) throw error;
    return false;
  }
}
