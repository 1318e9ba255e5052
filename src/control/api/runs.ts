/** `/_api/runs`: lists the last runs, exports fixtures and cancels runs. */
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { fixtureSchema, runDetailSchema, runStatusSchema, runSummarySchema } from "./run-schemas.ts";
import { jsonAnswer, moment, mostWhole, noQuery, once, oneOf, runIdParams, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";

const defaultLimit = 50;
const mostRuns = 500;

const query = z.strictObject({
  routeId: once("a route's id").optional(),
  flowId: once("a flow's id").optional(),
  status: oneOf(runStatusSchema.options).optional(),
  since: moment.optional(),
  before: moment.optional(),
  limit: wholeNumber("a positive whole number", 1, mostWhole).optional(),
});

export function runEndpoints({ runs }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/runs",
      action: "runs.read",
      name: "listRuns",
      summary: `The last runs, newest first. limit: ${defaultLimit} by default, at most ${mostRuns}.`,
      query,
      answers: { 200: jsonAnswer("The runs that match.", z.array(runSummarySchema)) },
      handle: ({ query: { limit = defaultLimit, ...filter } }) =>
        runs.list({ ...filter, limit: Math.min(limit, mostRuns) }),
    }),
    endpoint({
      method: "GET",
      path: "/_api/runs/:runId",
      action: "runs.read",
      name: "getRun",
      summary: "One run and its steps.",
      params: runIdParams,
      query: noQuery,
      answers: { 200: jsonAnswer("The run.", runDetailSchema) },
      errors: ["not_found"],
      handle: ({ params }) => runs.get(params.runId),
    }),
    endpoint({
      method: "GET",
      path: "/_api/runs/:runId/fixture",
      action: "runs.read",
      name: "getRunFixture",
      summary:
        "A run that was recorded, as the body of a test session that replays it with all calls to the outside mocked.",
      params: runIdParams,
      query: noQuery,
      answers: { 200: jsonAnswer("What POST /_api/test/session takes as it is.", fixtureSchema) },
      errors: ["not_found", "run_not_recorded"],
      handle: ({ params }) => runs.fixture(params.runId),
    }),
    endpoint({
      method: "POST",
      path: "/_api/runs/:runId/cancel",
      action: "runs.cancel",
      name: "cancelRun",
      summary: "Asks a run to stop.",
      params: runIdParams,
      query: noQuery,
      answers: { 202: jsonAnswer("Asked; the run as it is now.", runDetailSchema) },
      errors: ["not_found", "run_finished"],
      handle({ params, reply }) {
        const run = runs.cancel(params.runId);
        reply.code(202);
        return run;
      },
    }),
  ];
}
