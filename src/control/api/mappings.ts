/** `/_api/value-mappings` and `/_api/message-mappings`: the endpoints that both kinds of mappings have, and those of each. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { MappingKind } from "../../shared/mapping.ts";
import { kindNames } from "../mappings/mapping-register.ts";
import type { MappingService } from "../mappings/mapping-service.ts";
import type { StoredDocument } from "../stores/documents.ts";
import type { Media, RawBody } from "./body.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import {
  forceQuery,
  lookupAnswerSchema,
  lookupSchema,
  messageDocumentSchema,
  messagePutSchema,
  messageSummarySchema,
  removedSchema,
  strictQuery,
  trialAnswerSchema,
  trialSchema,
  valueDocumentSchema,
  valuePutSchema,
  valueSummarySchema,
  valueTrialAnswerSchema,
  valueTrialSchema,
} from "./mapping-schemas.ts";
import { flowTag, prefers, sendConditional } from "./representations.ts";
import { anyObject, idParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

/** `/_api/value-mappings`: tables that translate values between systems. */
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
      errors: ["not_found", "mapping_invalid", "store_failed", "draining"],
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
    endpoint({
      method: "POST",
      path: `${path}/:id/test`,
      action: "mappings.read",
      name: "testValueMapping",
      summary:
        "Checks a document as a PUT would, its tests included, and looks a value up in it; nothing is installed.",
      params: idParams,
      query: noQuery,
      body: { schema: valueTrialSchema, media: ["json"], raw: true, limit: "mappingBytes" },
      answers: { 200: jsonAnswer("What came of it.", valueTrialAnswerSchema) },
      errors: ["draining"],
      async handle({ params: { id }, body, reply }) {
        return reply.type("application/json; charset=utf-8").send(await mappings.tryValues(id, body.bytes));
      },
    }),
  ];
}

/** `/_api/message-mappings`: rules that turn one message into another. */
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
      summary:
        "Maps a message of the caller's, with the mapping or with a document that comes along: the output, and what each rule gave.",
      params: idParams,
      query: noQuery,
      body: { schema: trialSchema, media: ["json"], raw: true, limit: "mappingBytes" },
      answers: { 200: jsonAnswer("What came of it.", trialAnswerSchema) },
      errors: ["not_found", "mapping_invalid", "draining"],
      async handle({ params: { id }, body, reply }) {
        return reply.type("application/json; charset=utf-8").send(await mappings.try(id, body.bytes));
      },
    }),
  ];
}

interface MappingApi {
  readonly kind: MappingKind;
  /** The kind in the names of operations: `ValueMapping`. */
  readonly name: string;
  readonly media: readonly Media[];
  readonly document: z.ZodType<RawBody>;
  readonly summary: z.ZodType;
  readonly answer: z.ZodType;
}

function mappingPath(kind: MappingKind): string {
  return `/_api/${kind}-mappings`;
}

const jsonType = "application/json; charset=utf-8";

/** The endpoints that both kinds have. */
function commonEndpoints(mappings: MappingService, api: MappingApi): Endpoint[] {
  const { kind, name } = api;
  const path = mappingPath(kind);
  return [
    endpoint({
      method: "GET",
      path,
      action: "mappings.read",
      name: `list${name}s`,
      summary: `The ${kindNames[kind]}s, sorted by id.`,
      query: noQuery,
      answers: {
        200: jsonAnswer("One entry for each.", z.array(api.summary)),
        304: { description: "As the caller has it." },
      },
      async handle({ request, reply }) {
        return sendConditional(request, reply, JSON.stringify(await mappings.list(kind)), jsonType);
      },
    }),
    endpoint({
      method: "PUT",
      path: `${path}/:id`,
      action: "mappings.write",
      name: `put${name}`,
      summary: `Installs or replaces a ${kindNames[kind]}; answered when every flow that uses it has it. strict=true refuses what has warnings.`,
      params: idParams,
      query: strictQuery,
      body: { schema: api.document, media: api.media, raw: true, limit: "mappingBytes" },
      answers: {
        200: jsonAnswer("Replaced or unchanged.", api.answer),
        201: jsonAnswer("Created.", api.answer),
      },
      errors: [
        "mapping_invalid",
        "id_case_clash",
        "precondition_failed",
        "store_failed",
        "lock_lost",
        "disk_full",
        "draining",
      ],
      async handle({ params: { id }, query: { strict }, body, request, reply }) {
        const { media, bytes } = body;
        const conditions = { ifMatch: request.headers["if-match"], ifNoneMatch: request.headers["if-none-match"] };
        const sent = { media: media === "csv" ? media : "json", bytes } as const;
        const { created, ...answer } = await mappings.put(kind, id, sent, { strict, ...conditions });
        reply.header("ETag", flowTag(answer));
        if (created) reply.code(201).header("Location", `${path}/${id}`);
        return answer;
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/:id`,
      action: "mappings.write",
      name: `delete${name}`,
      summary: `Removes a ${kindNames[kind]} that nothing uses; force=true: in any case.`,
      params: idParams,
      query: forceQuery,
      answers: { 200: jsonAnswer("Removed.", removedSchema) },
      errors: [
        "not_found",
        "mapping_in_use",
        "precondition_failed",
        "store_failed",
        "lock_lost",
        "disk_full",
        "draining",
      ],
      async handle({ params: { id }, query: { force }, request }) {
        await mappings.remove(kind, id, { force, ifMatch: request.headers["if-match"] });
        return { id, deleted: true };
      },
    }),
  ];
}

/** Sends the document as it was installed. */
function sendDocument(request: FastifyRequest, reply: FastifyReply, document: StoredDocument): FastifyReply {
  reply.header("X-Revision", String(document.revision));
  return sendConditional(request, reply, document.text, jsonType, flowTag(document));
}
