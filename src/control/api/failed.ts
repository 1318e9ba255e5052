/** `/_api/failed`: lists failed messages, shows one, retries and discards. */
import * as z from "zod";
import { AppError } from "../../shared/errors.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { countSchema, failedDetailSchema, failedSchema, failedStates, selectionSchema } from "./failed-schemas.ts";
import { flag, jsonAnswer, moment, mostWhole, noQuery, once, oneOf, runIdParams, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";
import { readGivenMessage } from "./session-reading/read-session.ts";
import { givenMessageSchema, invokeAnswerSchema } from "./test-session-schemas.ts";

const defaultLimit = 50;
const mostListed = 500;

const query = z.strictObject({
  flowId: once("a flow's id").optional(),
  routeId: once("a route's id").optional(),
  state: oneOf(failedStates).optional(),
  since: moment.optional(),
  before: moment.optional(),
  limit: wholeNumber("a positive whole number", 1, mostWhole).optional(),
});

const params = z.object({ id: runIdParams.shape.runId });
const began = z.object({ runId: z.string() }).meta({ id: "BegunRetry" });
const kept = ["disk_full", "store_failed"] as const;

export function failedEndpoints({ failed, refuseOverload }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/failed",
      action: "failed.list",
      name: "listFailed",
      summary: `Messages whose run has failed and whose sender was not notified, newest first. limit: ${defaultLimit} by default, at most ${mostListed}.`,
      query,
      answers: { 200: jsonAnswer("The messages that match, without their content.", z.array(failedSchema)) },
      errors: kept,
      handle: ({ query: { limit = defaultLimit, ...filter } }) => failed.list(filter, Math.min(limit, mostListed)),
    }),
    endpoint({
      method: "GET",
      path: "/_api/failed/:id",
      action: "failed.read",
      name: "getFailed",
      summary:
        "One failed message as it entered its route, redacted for reading. The audit log records who has read it.",
      params,
      query: noQuery,
      answers: { 200: jsonAnswer("The message.", failedDetailSchema) },
      errors: ["not_found", ...kept],
      handle: ({ params: { id } }) => failed.get(id),
    }),
    endpoint({
      method: "POST",
      path: "/_api/failed/:id/retry",
      action: "failed.retry",
      name: "retryFailed",
      summary:
        "Begins a run with the message in the current revision of its flow; headers and body, if any are sent, replace those of the message. wait=true answers at its end.",
      params,
      query: z.strictObject({ wait: flag.optional() }),
      body: { schema: givenMessageSchema, media: ["json"], optional: true },
      answers: {
        200: jsonAnswer("With wait=true: the run has ended, well or not.", invokeAnswerSchema),
        202: jsonAnswer("The run is under way.", began),
      },
      errors: [
        "not_found",
        "not_retryable",
        "retry_in_progress",
        "flow_quarantined_locked",
        "overloaded",
        "run_timeout",
        ...kept,
      ],
      made: ({ runId }) => runId,
      async handle({ params: { id }, query: { wait = false }, body, reply }) {
        const given = readGivenMessage(body);
        refuseOverload();
        const answer = await failed.retry(id, given, wait);
        if (!wait) reply.code(202).header("Location", `/_api/runs/${answer.runId}`);
        return answer;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_api/failed/:id",
      action: "failed.discard",
      name: "discardFailed",
      summary: "Discards a failed message that waits: its content is removed.",
      params,
      query: noQuery,
      answers: { 200: jsonAnswer("Discarded.", failedSchema) },
      errors: ["not_found", "not_retryable", ...kept],
      handle: ({ params: { id } }) => failed.discard(id),
    }),
    ...(["retry", "discard"] as const).map((what) =>
      endpoint({
        method: "POST",
        path: `/_api/failed/${what}`,
        action: `failed.${what}`,
        name: what === "retry" ? "retryManyFailed" : "discardManyFailed",
        summary:
          what === "retry"
            ? "Retries all failed messages that wait and match, the oldest first and at the pace of their flows, whose other runs go first."
            : "Discards all failed messages that wait and match.",
        query: noQuery,
        body: { schema: selectionSchema, media: ["json"] },
        answers: {
          [what === "retry" ? 202 : 200]: jsonAnswer("How many they are.", countSchema),
        },
        errors: [
          "precondition_failed",
          ...(what === "retry" ? (["not_retryable", "overloaded"] as const) : []),
          ...kept,
        ],
        async handle({ body, reply }) {
          const { all, before, ...parts } = body;
          const named = [parts.flowId, parts.routeId, before, parts.ids].some((one) => one !== undefined);
          if (!named && all !== true) {
            throw new AppError(
              "bad_request",
              'name what is meant: flowId, routeId, before or ids; or {"all": true, "expect": N} for all N that wait',
            );
          }
          if (all === true && parts.expect === undefined) {
            throw new AppError(
              "bad_request",
              "with all, expect says how many there must be: GET /_api/failed lists them",
            );
          }
          const selection = { ...parts, ...(before !== undefined && { before: Date.parse(before) }) };
          if (what === "discard") return { count: await failed.discardMany(selection) };
          refuseOverload();
          reply.code(202);
          return { count: await failed.retryMany(selection) };
        },
      }),
    ),
  ];
}
