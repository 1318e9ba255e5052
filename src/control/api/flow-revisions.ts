/** `/_api/flows/:id/revisions` and `rollback`: what was deployed before, and the way back to it. */
import * as z from "zod";
import type { FlowService } from "../flows/flow-service.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { deployErrors, installed, putOptions, putQuery, unknownFields } from "./flow-answers.ts";
import { putAnswerSchema, revisionSchema, rollbackSchema } from "./flow-schemas.ts";
import { flag, idParams, jsonAnswer } from "./schemas.ts";

const rollbackFields = Object.keys(rollbackSchema.shape);

export function revisionEndpoints(flows: FlowService): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/revisions",
      action: "flows.read",
      name: "listRevisions",
      summary: "The flow's last ten revisions, newest first; also of a deleted flow, until it is purged.",
      params: idParams,
      query: z.strictObject({ yaml: flag.optional() }),
      answers: { 200: jsonAnswer("One entry per revision.", z.array(revisionSchema)) },
      errors: ["not_found", "store_failed"],
      async handle({ params, query }) {
        const revisions = await flows.revisions(params.id);
        return revisions.map(({ yaml, ...rest }) => (query.yaml === true ? { ...rest, yaml } : rest));
      },
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/rollback",
      action: "flows.write",
      name: "rollbackFlow",
      summary:
        "Makes a new revision with the yaml, params and limits of an earlier one; brings a deleted flow back. Answered like a PUT.",
      params: idParams,
      query: putQuery,
      body: { schema: rollbackSchema, media: ["json"] },
      answers: {
        200: jsonAnswer("Replaced, unchanged (it is that revision already), or (dryRun) planned.", putAnswerSchema),
        201: jsonAnswer("The deleted flow is back.", putAnswerSchema),
      },
      errors: [...deployErrors, "id_taken", "not_found", "precondition_failed"],
      async handle({ params, query, body, place, request, reply }) {
        const answer = await flows.rollback(params.id, body.revision, { ...putOptions(query, request), place });
        return installed(reply, params.id, answer, unknownFields(body, rollbackFields));
      },
    }),
  ];
}
