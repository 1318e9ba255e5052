/** `/_api/value-mappings`: tables of values that mean the same in different systems. */
import * as z from "zod";
import { prefers } from "./accept.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { sendConditional } from "./etag.ts";
import { commonEndpoints, mappingPath, sendDocument } from "./mapping-endpoints.ts";
import {
  lookupAnswerSchema,
  lookupSchema,
  valueDocumentSchema,
  valuePutSchema,
  valueSummarySchema,
} from "./mapping-schemas.ts";
import { anyObject, idParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

export function valueMappingEndpoints({ mappings }: Services): Endpoint[] {
  const path = mappingPath("value");
  return [
    ...commonEndpoints(mappings, {
      kind: "value",
      name: "ValueMapping",
      media: ["json", "csv"],
      document: valueDocumentSchema,
      summary: valueSummarySchema,
      answer: valuePutSchema,
    }),
    endpoint({
      method: "GET",
      path: `${path}/:id`,
      action: "mappings.read",
      name: "getValueMapping",
      summary: "The document as it was sent, its revision as X-Revision; with Accept: text/csv its rows as CSV.",
      params: idParams,
      query: noQuery,
      answers: {
        200: { description: "The mapping.", content: { "application/json": anyObject, "text/csv": z.string() } },
        304: { description: "As the caller has it." },
      },
      errors: ["not_found", "mapping_invalid", "store_failed"],
      async handle({ params: { id }, request, reply }) {
        reply.header("Vary", "Accept");
        if (!prefers(request.headers.accept, "text/csv", "application/json")) {
          return sendDocument(request, reply, await mappings.get("value", id));
        }
        const { document, csv } = await mappings.exportCsv(id);
        reply.header("X-Revision", String(document.revision));
        return sendConditional(request, reply, csv, "text/csv; charset=utf-8; header=present");
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/:id/lookup`,
      action: "mappings.read",
      name: "lookUpValue",
      summary: "Looks a value up, as a step would.",
      params: idParams,
      query: noQuery,
      body: { schema: lookupSchema, media: ["json"] },
      answers: { 200: jsonAnswer("What a step would have.", lookupAnswerSchema) },
      errors: ["not_found", "mapping_invalid"],
      handle: ({ params: { id }, body }) => mappings.lookup(id, body),
    }),
  ];
}
