/** `/_api/auth`: who may call a flow's HTTP triggers. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { explain } from "../access/explain.ts";
import type { InForce } from "../access/planned-policy.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { writtenBySchema } from "./flow-options.ts";
import { writtenBy } from "./policy-facts.ts";
import { flowTag, sendConditional } from "./representations.ts";
import { anyObject, flag, flowIdParams, jsonAnswer, noQuery, textUpTo } from "./schemas.ts";
import type { Services } from "./services.ts";

const policyBody = {
  schema: anyObject.meta({ description: "The policy: principals, rules, limits; or one of the short forms." }),
  media: ["json"],
} as const;

const installedSchema = z
  .object({
    flowId: z.string(),
    hash: z.string().meta({
      description: "Of the document as it is kept: keys in clear are hashed before. Empty: its file cannot be read.",
    }),
    revision: z.int(),
    mode: z.enum(["enforce", "report"]),
    enforced: z.boolean().meta({ description: "Whether calls are denied by it." }),
    understood: z.boolean().meta({ description: "false: only the deploy token gets in." }),
    principals: z.array(z.string()),
    writtenBy: writtenBySchema,
    warnings: z.array(z.object({ code: z.string(), message: z.string(), pointer: z.string().optional() })),
  })
  .meta({ id: "InstalledPolicy" });

const questionSchema = z
  .strictObject({
    as: textUpTo(400)
      .nullish()
      .meta({ description: "A principal's name; idp:alice for a token's bearer; absent: a caller without a name." }),
    roles: z
      .array(textUpTo(400))
      .max(100, "must have at most 100 names")
      .optional()
      .meta({ description: "What a bearer's token would bring." }),
    route: textUpTo(400),
    method: textUpTo(40).optional().meta({ description: "POST, if absent." }),
    address: textUpTo(100).optional().meta({ description: "The caller's; absent: not known." }),
  })
  .meta({ id: "PolicyQuestion" });

const explanationSchema = z
  .object({
    allowed: z.boolean(),
    principal: z.string().nullable(),
    roles: z.array(z.string()),
    rule: z
      .union([z.int(), z.string()])
      .nullable()
      .meta({ description: "What decided: its place in rules, or the short form; null: nothing allows it." }),
    reason: z.string(),
    mode: z.enum(["enforce", "report"]),
    understood: z.boolean(),
  })
  .meta({ id: "PolicyExplanation" });

const removedSchema = z.object({ flowId: z.string(), deleted: z.literal(true) }).meta({ id: "RemovedPolicy" });

export function policyEndpoints({ policies, flows, actorOf }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/auth",
      action: "policies.read",
      name: "listPolicies",
      summary: "The access policies of all flows, sorted by the flow's id, also of flows that do not exist.",
      query: noQuery,
      answers: { 200: jsonAnswer("One entry per policy, without its document.", z.array(installedSchema)) },
      errors: ["store_failed"],
      handle: async () => (await policies.list()).map(([flowId, inForce]) => answerOf(flowId, inForce)),
    }),
    endpoint({
      method: "PUT",
      path: "/_api/auth/:flowId",
      action: "policies.write",
      name: "putPolicy",
      summary:
        "Installs or replaces the flow's access policy; in force when it is answered. The flow need not exist. strict=true refuses what has warnings.",
      params: flowIdParams,
      query: z.strictObject({ strict: flag.optional() }),
      body: policyBody,
      answers: {
        200: jsonAnswer("Replaced, or unchanged.", installedSchema),
        201: jsonAnswer("Installed.", installedSchema),
      },
      errors: ["policy_invalid", "precondition_failed", "id_case_clash", "store_failed", "lock_lost", "disk_full"],
      async handle({ params: { flowId }, query, body, request, reply }) {
        const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = request.headers;
        await refuseOtherCase(flows, flowId);
        const by = { via: `PUT /_api/auth/${flowId}`, actor: actorOf(request.raw) };
        const now = await policies.put(flowId, body, { strict: query.strict, ifMatch, ifNoneMatch, by });
        reply.code(now.created ? 201 : 200).header("ETag", flowTag(now));
        return answerOf(flowId, now);
      },
    }),
    endpoint({
      method: "GET",
      path: "/_api/auth/:flowId",
      action: "policies.read",
      name: "getPolicy",
      summary: "The flow's access policy as it was sent, without its secrets.",
      params: flowIdParams,
      query: noQuery,
      answers: { 200: jsonAnswer("The policy.", anyObject), 304: { description: "As the caller has it." } },
      errors: ["not_found", "store_failed"],
      async handle({ params: { flowId }, request, reply }) {
        const found = await policies.find(flowId);
        if (found.document === undefined) {
          const message = `the access policy of '${flowId}' cannot be read, and only the deploy token gets in: PUT it anew, or DELETE it`;
          throw new AppError("store_failed", message);
        }
        if (found.writtenBy !== undefined) {
          const { via, actor, at } = found.writtenBy;
          reply.header("X-Written-By", [via, ...(actor === undefined ? [] : [`by ${actor}`]), `at ${at}`].join(" "));
        }
        const text = JSON.stringify(policies.mask(found.document));
        return sendConditional(request, reply, text, "application/json; charset=utf-8", flowTag(found));
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_api/auth/:flowId",
      action: "policies.write",
      name: "deletePolicy",
      summary: "Removes the flow's access policy: from then on everybody may call its HTTP triggers.",
      params: flowIdParams,
      query: noQuery,
      answers: { 200: jsonAnswer("Removed.", removedSchema) },
      errors: ["not_found", "precondition_failed", "store_failed", "lock_lost", "disk_full"],
      async handle({ params: { flowId }, request }) {
        await policies.remove(flowId, { ifMatch: request.headers["if-match"] });
        return { flowId, deleted: true };
      },
    }),
    endpoint({
      method: "POST",
      path: "/_api/auth/:flowId/can",
      action: "policies.read",
      name: "explainPolicy",
      summary: "What the flow's access policy would decide about a caller, and why.",
      params: flowIdParams,
      query: noQuery,
      body: { schema: questionSchema, media: ["json"] },
      answers: { 200: jsonAnswer("The decision.", explanationSchema) },
      errors: ["not_found", "store_failed"],
      async handle({ params: { flowId }, body }) {
        const { policy } = await policies.find(flowId);
        const { roles, ...decision } = explain(policy, body);
        return { ...decision, roles: [...roles] };
      },
    }),
  ];
}

function answerOf(flowId: string, inForce: InForce): z.input<typeof installedSchema> {
  const { hash, revision, policy, names } = inForce;
  const { mode, understood, warnings } = policy;
  const enforced = mode === "enforce";
  return {
    ...{ flowId, hash, revision, mode, enforced, understood },
    principals: [...names],
    writtenBy: writtenBy(inForce),
    warnings: [...warnings],
  };
}

/** Refuses an id that differs from that of a flow only by case: the policy would guard nothing. */
async function refuseOtherCase(flows: Services["flows"], flowId: string): Promise<void> {
  const flow = (await flows.list()).find(({ id }) => id !== flowId && id.toLowerCase() === flowId.toLowerCase());
  if (flow === undefined) return;
  throw new AppError(
    "id_case_clash",
    `the flow is called '${flow.id}': ids are told apart by case here, and may not differ by it alone`,
  );
}
