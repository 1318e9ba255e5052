/** `POST /_api/flows/:id/routes/:routeId/trigger`: begins a run that otherwise a clock or a poll begins. */
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowParams, idParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";
import { readGivenMessage } from "./session-reading/read-session.ts";
import { givenMessageSchema, invokeAnswerSchema } from "./test-session-schemas.ts";

const params = z.object({ id: flowParams.shape.id, routeId: idParams.shape.id });

export function runNowEndpoints({ runNow, refuseOverload }: Services): Endpoint[] {
  return [
    endpoint({
      method: "POST",
      path: "/_api/flows/:id/routes/:routeId/trigger",
      action: "runs.start",
      name: "triggerRoute",
      summary:
        "Begins a run of a timer, cron, quartz, scheduler or polling route now, and waits for its end; its clock goes on as it did.",
      params,
      query: noQuery,
      body: { schema: givenMessageSchema, media: ["json"], optional: true },
      answers: { 200: jsonAnswer("The run has ended, well or not.", invokeAnswerSchema) },
      errors: ["not_found", "not_triggerable", "flow_quarantined_locked", "overloaded", "run_timeout"],
      made: ({ runId }) => runId,
      handle({ params: { id, routeId }, body }) {
        const given = readGivenMessage(body);
        refuseOverload();
        return runNow.begin(id, routeId, given);
      },
    }),
  ];
}
