/** Mappings for runs without a thread, made of documents as a PUT makes them. */

import { defaultLimits, type Limits } from "../../src/shared/limits.ts";
import type { MappingCheckRequest, MappingCheckResult, MappingData } from "../../src/shared/mapping.ts";
import type { Exchange } from "../../src/workers/engine/exchange.ts";
import { type Mappings, missing } from "../../src/workers/engine/mappings.ts";
import { checkMessageMapping } from "../../src/workers/mappings/check-message-mapping.ts";
import { checkValueMapping } from "../../src/workers/mappings/check-value-mapping.ts";
import { messageMapping } from "../../src/workers/mappings/message-mapping.ts";
import { valueLookup } from "../../src/workers/mappings/value-lookup.ts";

export type Accepted = Extract<MappingCheckResult, { readonly data: Uint8Array }>;

/** Makes a check thread's request; `document`: a value that is sent as JSON, or the text itself. */
export function checkRequest(document: unknown, more: Partial<MappingCheckRequest> = {}): MappingCheckRequest {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const bytes = new TextEncoder().encode(text);
  const limits: Limits = defaultLimits;
  return { kind: "value", id: "m", media: "json", document: bytes, tables: [], absent: [], limits, ...more };
}

/** Checks a value mapping. Throws with the problems of the document. */
export function acceptedValueMapping(document: unknown, more: Partial<MappingCheckRequest> = {}): Accepted {
  const result = checkValueMapping(checkRequest(document, more));
  if ("data" in result) return result;
  throw new Error("problems" in result ? result.problems.join("\n") : `needs ${result.needs.join(", ")}`);
}

/** Checks a message mapping. Throws NotLoaded, and with the problems of the document. */
export function acceptedMessageMapping(document: unknown, more: Partial<MappingCheckRequest> = {}): Accepted {
  const result = checkMessageMapping(checkRequest(document, { kind: "message", ...more }));
  if ("data" in result) return result;
  throw new Error("problems" in result ? result.problems.join("\n") : `needs ${result.needs.join(", ")}`);
}

/**
 * Makes mappings by their ids; a text is the document itself. Throws with the problems of a document; for message
 * mappings, NotLoaded.
 */
export function mappingsOf(
  valueMappings: Readonly<Record<string, unknown>>,
  messageMappings: Readonly<Record<string, unknown>> = {},
  params: Readonly<Record<string, string>> = {},
): Mappings<Exchange> {
  const lookups = new Map(
    Object.entries(valueMappings).map(([id, document]) => [
      id,
      valueLookup(id, acceptedValueMapping(document, { id }).data),
    ]),
  );
  const tables = Object.keys(messageMappings).length > 0 ? tablesOf(valueMappings) : [];
  const maps = new Map(
    Object.entries(messageMappings).map(([id, document]) => [
      id,
      messageMapping(id, acceptedMessageMapping(document, { id, tables }).data, params),
    ]),
  );
  return {
    value: (id) => lookups.get(id) ?? missing("value", id),
    message: (id) => maps.get(id) ?? missing("message", id),
  };
}

/** Makes the tables that threads get. */
export function tablesOf(valueMappings: Readonly<Record<string, unknown>>): MappingData[] {
  return Object.entries(valueMappings).map(([id, document]) => {
    const { data } = acceptedValueMapping(document, { id });
    return { kind: "value", id, revision: 1, hash: "", data };
  });
}
