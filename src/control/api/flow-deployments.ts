/** What all calls that deploy a flow share, and the endpoints that take no document: `revisions`, `rollback`, `start`, `stop` and `reload`. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { limitTable } from "../../shared/limits.ts";
import type { BesidePolicy, PutAnswer, PutOptions, Warning } from "../flows/flow-service.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowDetailSchema, putAnswerSchema, revisionSchema, rollbackSchema } from "./flow-schemas.ts";
import { flowTag } from "./representations.ts";
import { flag, flowParams, jsonAnswer, noQuery, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";
import { findUnknown, refuseMisspelt } from "./unknown-fields.ts";

const mostDrainMs = limitTable.drainMs.ceiling;
export const drainMs = wholeNumber(`a number of milliseconds from 0 to ${mostDrainMs}`, 0, mostDrainMs).optional();
export const putQuery = z.strictObject({ dryRun: flag.optional(), drainMs });
export const deployErrors = [
  "flow_invalid",
  "limit_not_allowed",
  "route_taken",
  "direct_taken",
  "path_taken",
  "connection_missing",
  "state_in_use",
  "id_case_clash",
  "flow_failed",
  "no_thread",
  "store_failed",
  "lock_lost",
  "disk_full",
  "draining",
] as const;

export function putOptions(query: z.output<typeof putQuery>, { headers }: FastifyRequest): PutOptions {
  const { dryRun, drainMs } = query;
  return { dryRun, drainMs, ifMatch: headers["if-match"], ifNoneMatch: headers["if-none-match"] };
}

/** Sets status and headers; `warnings` are put before those of the answer. */
export function installed<Answer extends PutAnswer>(
  reply: FastifyReply,
  id: string,
  answer: Answer,
  warnings: readonly Warning[],
): Answer {
  if (answer.dryRun !== true) {
    if (answer.created) reply.code(201).header("Location", `/_api/flows/${id}`);
    reply.header("ETag", flowTag(answer));
  }
  return { ...answer, warnings: [...warnings, ...answer.warnings] };
}

const rollbackFields = Object.keys(rollbackSchema.shape);

export function deploymentEndpoints({ flows, policies, actorOf }: Services): Endpoint[] {
  const beside = (request: FastifyRequest): BesidePolicy => policies.ofFiles(actorOf(request.raw));
  return [
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/revisions",
      action: "flows.read",
      name: "listRevisions",
      summary: "The flow's last ten revisions, newest first; also of a deleted flow, until it is purged.",
      params: flowParams,
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
        "Makes a new revision with the yaml and the options of an earlier one; brings a deleted flow back. Answered like a PUT.",
      params: flowParams,
      query: putQuery,
      body: { schema: rollbackSchema, media: ["json"] },
      answers: {
        200: jsonAnswer("Replaced, unchanged (it is that revision already), or (dryRun) planned.", putAnswerSchema),
        201: jsonAnswer("The deleted flow is back.", putAnswerSchema),
      },
      errors: [...deployErrors, "id_taken", "not_found", "precondition_failed"],
      async handle({ params, query, body, place, request, reply }) {
        const warnings = refuseMisspelt([findUnknown(body, rollbackFields)]);
        const answer = await flows.rollback(params.id, body.revision, { ...putOptions(query, request), place });
        return installed(reply, params.id, answer, warnings);
      },
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/start",
      action: "flows.operate",
      name: "startFlow",
      summary: "Starts a stopped flow; lasts over a restart.",
      params: flowParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: [...deployErrors, "policy_invalid", "not_found"],
      handle: ({ params, place, request }) => flows.start(params.id, { place, beside: beside(request) }),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/stop",
      action: "flows.operate",
      name: "stopFlow",
      summary: "Stops a flow's routes without deleting it, also one that was not loaded yet; lasts over a restart.",
      params: flowParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: ["not_found", "flow_invalid", "policy_invalid", "store_failed", "lock_lost", "disk_full", "draining"],
      handle: ({ params, place, request }) => flows.stop(params.id, { place, beside: beside(request) }),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/reload",
      action: "flows.operate",
      name: "reloadFlow",
      summary: "Deploys the flow's file as it is on disk now.",
      params: flowParams,
      query: noQuery,
      answers: { 200: jsonAnswer("Deployed.", putAnswerSchema) },
      errors: [...deployErrors, "policy_invalid", "not_found"],
      async handle({ params, place, request, reply }) {
        const answer = await flows.reload(params.id, { place, beside: beside(request) });
        reply.header("ETag", flowTag(answer));
        return answer;
      },
    }),
  ];
}
