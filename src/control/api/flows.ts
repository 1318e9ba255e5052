/** `/_api/flows`: lists, installs, validates and deletes flows. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import type { FlowDocument, PutOptions } from "../flows/flow-service.ts";
import { sentOptions } from "../stores/flow-options.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { deployErrors, deploymentEndpoints, drainMs, installed, putOptions, putQuery } from "./flow-deployments.ts";
import {
  deleteAnswerSchema,
  flowDetailSchema,
  flowDocumentSchema,
  flowSummarySchema,
  putAnswerSchema,
  validateAnswerSchema,
} from "./flow-schemas.ts";
import { policyDiagnostics, policyFacts, policyWarnings } from "./policy-facts.ts";
import { flowTag, prefers, sendConditional } from "./representations.ts";
import { flag, flowParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";
import { findUnknown, refuseMisspelt, unknownDiagnostics } from "./unknown-fields.ts";

const listQuery = z.strictObject({ usage: flag.optional() });
const deleteQuery = z.strictObject({
  drainMs,
  purge: flag.optional(),
  keep: z
    .enum(["state", "file", "state,file"], { error: "must be state, file, or state,file" })
    .optional()
    .describe(
      "What remains: `state` is what the flow stores between messages, for a later flow of the same id. `file` is its YAML: the runtime deploys the flow again when you change or reload it, or when the runtime starts.",
    ),
});
const documentBody = { schema: flowDocumentSchema, media: ["json", "yaml"] } as const;
const documentFields = Object.keys(flowDocumentSchema.shape);

export function flowEndpoints(services: Services): Endpoint[] {
  const { flows, policies, limits, actorOf, runtime } = services;
  const document = (body: z.output<typeof flowDocumentSchema>): FlowDocument => {
    const most = limits.values.flowYamlBytes;
    if (Buffer.byteLength(body.yaml) > most) {
      throw new AppError("body_too_large", `the flow's YAML is larger than ${most} bytes`);
    }
    return { yaml: body.yaml, options: sentOptions(body) };
  };

  return [
    endpoint({
      method: "GET",
      path: "/_api/flows",
      action: "flows.read",
      name: "listFlows",
      summary: "The YAML files of the routes directory, sorted by id; with usage=true what each flow has and has used.",
      query: listQuery,
      answers: {
        200: jsonAnswer("One entry per file.", z.array(flowSummarySchema)),
        304: { description: "As the caller has it; not with usage=true, which changes all the time." },
      },
      async handle({ query: { usage = false }, request, reply }) {
        const list = [...(await flows.list(usage))].sort((a, b) => (a.id < b.id ? -1 : 1));
        if (usage) return list;
        return sendConditional(request, reply, JSON.stringify(list), "application/json; charset=utf-8");
      },
    }),
    endpoint({
      method: "GET",
      path: "/_api/flows/:id",
      action: "flows.read",
      name: "getFlow",
      summary: "One flow; with Accept: application/yaml its file.",
      params: flowParams,
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
        const found = { ...(await flows.get(params.id)), policy: policyFacts(policies, params.id) };
        const consumers = services.consumers(params.id).map(({ flowId: _, ...consumer }) => consumer);
        const flow = { ...found, consumers, ...(runtime.routesWatch && { watched: true }) };
        reply.header("Vary", "Accept");
        if (prefers(request.headers.accept, "application/yaml", "application/json")) {
          return sendConditional(request, reply, flow.yaml, "application/yaml", flowTag(flow));
        }
        // State and usage change within a revision, so If-None-Match is ignored here.
        reply.header("ETag", flowTag(flow));
        return flow;
      },
    }),
    endpoint({
      method: "PUT",
      path: "/_api/flows/:id",
      action: "flows.write",
      name: "putFlow",
      summary:
        "Installs or replaces a flow; answered when its new routes serve. Options that are left out stay as they are, null removes one.",
      params: flowParams,
      query: putQuery,
      body: documentBody,
      answers: {
        200: jsonAnswer("Replaced, unchanged, or (dryRun) planned.", putAnswerSchema),
        201: jsonAnswer("Created.", putAnswerSchema),
      },
      errors: [...deployErrors, "policy_invalid", "id_taken", "precondition_failed"],
      async handle({ params, query, body, place, request, reply }) {
        const { id } = params;
        const { policy } = body;
        const unknown = refuseMisspelt([findUnknown(body, documentFields)]);
        const by = { via: `PUT /_api/flows/${id}`, actor: actorOf(request.raw) };
        const alongside: PutOptions["alongside"] =
          policy === undefined ? undefined : (work) => policies.alongside(id, { read: () => policy, by }, work);
        const answer = await flows.put(id, document(body), { ...putOptions(query, request), place, alongside });
        const warnings = [...unknown, ...(policy ? policyWarnings(policies, id) : [])];
        return installed(reply, id, { ...answer, policy: policyFacts(policies, id) }, warnings);
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_api/flows/:id",
      action: "flows.write",
      name: "deleteFlow",
      summary:
        "Stops and removes the flow's routes and deletes its YAML; its access policy stays. The runtime also removes its state, unless keep=state; keep=file leaves the YAML. purge=true forgets its revisions, also later on, and the policy.",
      params: flowParams,
      query: deleteQuery,
      answers: { 200: jsonAnswer("Removed.", deleteAnswerSchema) },
      errors: [
        "not_found",
        "flow_invalid",
        "precondition_failed",
        "store_failed",
        "lock_lost",
        "disk_full",
        "draining",
      ],
      async handle({ params: { id }, query: { drainMs, purge, keep }, place, request }) {
        const ifMatch = request.headers["if-match"];
        const kept = { keepState: keep?.includes("state") === true, keepFile: keep?.includes("file") === true };
        const answer = await flows.remove(id, { drainMs, purge, ...kept, ifMatch, place });
        // The policy goes after the routes, which must never answer without it.
        if (purge === true) await policies.forget(id);
        return answer;
      },
    }),
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/validate",
      action: "flows.read",
      name: "validateFlow",
      summary: "All problems of a flow's YAML, options and policy, and what deploying it would start and stop.",
      params: flowParams,
      query: noQuery,
      body: documentBody,
      answers: { 200: jsonAnswer("Valid or not.", validateAnswerSchema) },
      errors: ["draining"],
      async handle({ params, body }) {
        const answer = await flows.validate(params.id, document(body));
        const own = [
          ...unknownDiagnostics(findUnknown(body, documentFields)),
          ...policyDiagnostics(policies, params.id, body.policy),
        ];
        const valid = answer.valid && own.every(({ severity }) => severity !== "error");
        return { ...answer, valid, diagnostics: [...own, ...answer.diagnostics] };
      },
    }),
    ...deploymentEndpoints(services),
  ];
}
