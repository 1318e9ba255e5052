/** `/_api/flows/:id/start`, `stop`, `reload`, `revisions` and `rollback`: calls that change what runs without a new document. */
import * as z from "zod";
import type { FlowService } from "../flows/flow-service.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { deployErrors, installed, putOptions, putQuery, unknownFields } from "./flow-answers.ts";
import { flowDetailSchema, putAnswerSchema, revisionSchema, rollbackSchema } from "./flow-schemas.ts";
import { flowTag } from "./representations.ts";
import { flag, idParams, jsonAnswer, noQuery } from "./schemas.ts";

export function operationEndpoints(flows: FlowService): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/start",
      action: "flows.operate",
      name: "startFlow",
      summary: "Starts a stopped flow; lasts over a restart.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: [...deployErrors, "not_found"],
      handle: ({ params, place }) => flows.start(params.id, place),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/stop",
      action: "flows.operate",
      name: "stopFlow",
      summary: "Stops a flow's routes without deleting it, also one that was not loaded yet; lasts over a restart.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: ["not_found", "flow_invalid", "store_failed", "lock_lost", "disk_full", "draining"],
      handle: ({ params, place }) => flows.stop(params.id, place),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/reload",
      action: "flows.operate",
      name: "reloadFlow",
      summary: "Deploys the flow's file as it is on disk now.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("Deployed.", putAnswerSchema) },
      errors: [...deployErrors, "not_found"],
      async handle({ params, place, reply }) {
        const answer = await flows.reload(params.id, place);
        reply.header("ETag", flowTag(answer));
        return answer;
      },
    }),
  ];
}

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
