/** `/_api/message-mappings`: from one message to another, rule by rule. */
import { type Endpoint, endpoint } from "./endpoint.ts";
import { commonEndpoints, mappingPath, sendDocument } from "./mapping-endpoints.ts";
import { messageDocumentSchema, messagePutSchema, messageSummarySchema, trialSchema } from "./mapping-schemas.ts";
import { anyObject, idParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

export function messageMappingEndpoints({ mappings }: Services): Endpoint[] {
  const path = mappingPath("message");
  return [
    ...commonEndpoints(mappings, {
      kind: "message",
      name: "MessageMapping",
      media: ["json"],
      document: messageDocumentSchema,
      summary: messageSummarySchema,
      answer: messagePutSchema,
    }),
    endpoint({
      method: "GET",
      path: `${path}/:id`,
      action: "mappings.read",
      name: "getMessageMapping",
      summary: "The document as it was sent, its revision as X-Revision.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("The mapping.", anyObject), 304: { description: "As the caller has it." } },
      errors: ["not_found", "store_failed"],
      handle: async ({ params: { id }, request, reply }) =>
        sendDocument(request, reply, await mappings.get("message", id)),
    }),
    endpoint({
      method: "POST",
      path: `${path}/:id/test`,
      action: "mappings.read",
      name: "testMessageMapping",
      summary: "Maps a message of the caller's: the output, and what each rule gave.",
      params: idParams,
      query: noQuery,
      body: { schema: trialSchema, media: ["json"], raw: true, limit: "mappingBytes" },
      answers: { 200: jsonAnswer("What came of it.", anyObject) },
      errors: ["not_found", "mapping_invalid", "draining"],
      async handle({ params: { id }, body, reply }) {
        return reply.type("application/json; charset=utf-8").send(await mappings.try(id, body.bytes));
      },
    }),
  ];
}
