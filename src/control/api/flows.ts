/** `/_api/flows`: what is installed, and how it changes. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { limitTable } from "../../shared/limits.ts";
import type { FlowDocument, PutAnswer, Warning } from "../flows/flow-service.ts";
import { prefers } from "./accept.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowTag, sendConditional } from "./etag.ts";
import {
  deleteAnswerSchema,
  flowDetailSchema,
  flowDocumentSchema,
  flowSummarySchema,
  putAnswerSchema,
  validateAnswerSchema,
} from "./flow-schemas.ts";
import { flag, idParams, jsonAnswer, noQuery, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";

const mostDrainMs = limitTable.drainMs.ceiling;
const drainMs = wholeNumber(`a number of milliseconds from 0 to ${mostDrainMs}`, 0, mostDrainMs).optional();
const putQuery = z.strictObject({ dryRun: flag.optional(), drainMs });
const deleteQuery = z.strictObject({ drainMs, purge: flag.optional() });
const documentBody = { schema: flowDocumentSchema, media: ["json", "yaml"] } as const;
const documentFields = Object.keys(flowDocumentSchema.shape);
const deployErrors = [
  "flow_invalid",
  "limit_not_allowed",
  "not_yet",
  "route_taken",
  "direct_taken",
  "id_case_clash",
  "flow_failed",
  "disk_full",
] as const;

export function flowEndpoints({ flows, limits }: Services): Endpoint[] {
  const document = (body: z.output<typeof flowDocumentSchema>): FlowDocument => {
    const most = limits.values.flowYamlBytes;
    if (Buffer.byteLength(body.yaml) > most) {
      throw new AppError("body_too_large", `the flow's YAML is larger than ${most} bytes`);
    }
    return { yaml: body.yaml, params: body.params ?? undefined, limits: body.limits ?? undefined };
  };

  return [
    endpoint({
      method: "GET",
      path: "/_api/flows",
      action: "flows.read",
      name: "listFlows",
      summary: "The YAML files of the routes directory, sorted by id.",
      query: noQuery,
      answers: {
        200: jsonAnswer("One entry per file.", z.array(flowSummarySchema)),
        304: { description: "As the caller has it." },
      },
      async handle({ request, reply }) {
        const list = [...(await flows.list())].sort((a, b) => (a.id < b.id ? -1 : 1));
        return sendConditional(request, reply, JSON.stringify(list), "application/json; charset=utf-8");
      },
    }),
    endpoint({
      method: "GET",
      path: "/_api/flows/:id",
      action: "flows.read",
      name: "getFlow",
      summary: "One flow; with Accept: application/yaml its file.",
      params: idParams,
      query: noQuery,
      answers: {
        200: {
          description: "The flow.",
          content: { "application/json": flowDetailSchema, "application/yaml": z.string() },
        },
        304: { description: "The file is as the caller has it (application/yaml only)." },
      },
      errors: ["not_found"],
      async handle({ params, request, reply }) {
        const flow = await flows.get(params.id);
        reply.header("Vary", "Accept");
        if (prefers(request.headers.accept, "application/yaml", "application/json")) {
          return sendConditional(request, reply, flow.yaml, "application/yaml", flowTag(flow));
        }
        // State and usage change under one revision, so If-None-Match is not looked at here.
        reply.header("ETag", flowTag(flow));
        return flow;
      },
    }),
    endpoint({
      method: "PUT",
      path: "/_api/flows/:id",
      action: "flows.write",
      name: "putFlow",
      summary: "Installs or replaces a flow; answered when its new routes serve.",
      params: idParams,
      query: putQuery,
      body: documentBody,
      answers: {
        200: jsonAnswer("Replaced, unchanged, or (dryRun) planned.", putAnswerSchema),
        201: jsonAnswer("Created.", putAnswerSchema),
      },
      errors: [...deployErrors, "precondition_failed", "draining"],
      async handle({ params, query, body, request, reply }) {
        const answer = await flows.put(params.id, document(body), {
          dryRun: query.dryRun,
          drainMs: query.drainMs,
          ifMatch: request.headers["if-match"],
          ifNoneMatch: request.headers["if-none-match"],
        });
        if (answer.created && answer.dryRun !== true) {
          reply.code(201).header("Location", `/_api/flows/${params.id}`);
        }
        if (answer.dryRun !== true) reply.header("ETag", flowTag(answer));
        return { ...answer, warnings: [...unknownFields(body), ...answer.warnings] } satisfies PutAnswer;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_api/flows/:id",
      action: "flows.write",
      name: "deleteFlow",
      summary: "Stops and removes the flow's routes and deletes its YAML.",
      params: idParams,
      query: deleteQuery,
      answers: { 200: jsonAnswer("Removed.", deleteAnswerSchema) },
      errors: ["not_found", "precondition_failed"],
      handle: ({ params, query, request }) =>
        flows.remove(params.id, {
          drainMs: query.drainMs,
          purge: query.purge,
          ifMatch: request.headers["if-match"],
        }),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/validate",
      action: "flows.read",
      name: "validateFlow",
      summary: "All problems of a flow's YAML, and what deploying it would start and stop.",
      params: idParams,
      query: noQuery,
      body: documentBody,
      answers: { 200: jsonAnswer("Valid or not.", validateAnswerSchema) },
      async handle({ params, body }) {
        const answer = await flows.validate(params.id, document(body));
        const warnings = unknownFields(body).map((warning) => ({
          ...warning,
          severity: "warning" as const,
          endLine: null,
          endColumn: null,
          pointer: "",
          routeId: null,
          stepId: null,
        }));
        return { ...answer, diagnostics: [...warnings, ...answer.diagnostics] };
      },
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/start",
      action: "flows.operate",
      name: "startFlow",
      summary: "Starts a stopped flow; lasts over a restart.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: [...deployErrors, "not_found", "flow_quarantined_locked"],
      handle: ({ params }) => flows.start(params.id),
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/stop",
      action: "flows.operate",
      name: "stopFlow",
      summary: "Stops a flow's routes without deleting it; lasts over a restart.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("As it is now.", flowDetailSchema) },
      errors: ["not_found", "disk_full"],
      handle: ({ params }) => flows.stop(params.id),
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
      async handle({ params, reply }) {
        const answer = await flows.reload(params.id);
        reply.header("ETag", flowTag(answer));
        return answer;
      },
    }),
  ];
}

function unknownFields(body: object): Warning[] {
  return Object.keys(body)
    .filter((name) => !documentFields.includes(name))
    .slice(0, 20)
    .map((name) => ({
      code: "unknown_field",
      message: `the body's field '${name.slice(0, 100)}' means nothing here; known are ${documentFields.join(", ")}`,
      line: null,
      column: null,
    }));
}
