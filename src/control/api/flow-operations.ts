/** `/_api/flows/:id/start`, `stop` and `reload`: what runs of that which is there. */
import type { FlowService } from "../flows/flow-service.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowTag } from "./etag.ts";
import { deployErrors } from "./flow-answers.ts";
import { flowDetailSchema, putAnswerSchema } from "./flow-schemas.ts";
import { idParams, jsonAnswer, noQuery } from "./schemas.ts";

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
