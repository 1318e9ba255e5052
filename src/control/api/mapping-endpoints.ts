/** The endpoints that both kinds of mappings have. */

import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { MappingKind } from "../../shared/mapping.ts";
import { kindNames } from "../mappings/mapping-register.ts";
import type { MappingService } from "../mappings/mapping-service.ts";
import type { StoredDocument } from "../stores/documents.ts";
import type { Media, RawBody } from "./body.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowTag, sendConditional } from "./etag.ts";
import { forceQuery, removedSchema, strictQuery } from "./mapping-schemas.ts";
import { idParams, jsonAnswer, noQuery } from "./schemas.ts";

interface MappingApi {
  readonly kind: MappingKind;
  /** The kind as operations are named after it: `ValueMapping`. */
  readonly name: string;
  readonly media: readonly Media[];
  readonly document: z.ZodType<RawBody>;
  readonly summary: z.ZodType;
  readonly answer: z.ZodType;
}

export function mappingPath(kind: MappingKind): string {
  return `/_api/${kind}-mappings`;
}

const jsonType = "application/json; charset=utf-8";

export function commonEndpoints(mappings: MappingService, api: MappingApi): Endpoint[] {
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

/** The document as it was sent. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, document: StoredDocument): FastifyReply {
  reply.header("X-Revision", String(document.revision));
  return sendConditional(request, reply, document.text, jsonType, flowTag(document));
}
