/** `GET /_api/flows/:id/routes/:routeId/messages`: the next messages of a queue or topic, which stay where they are. */
import * as z from "zod";
import { mostPeeked } from "../../shared/peek.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowParams, idParams, jsonAnswer, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";

const params = z.object({ id: flowParams.shape.id, routeId: idParams.shape.id });

const peekedSchema = z
  .object({
    at: z.string().nullable().describe("Where it stands, as its server names it; null: it has no such name."),
    headers: z.record(z.string(), z.string()).describe("Those of the message that the flow would get, cut."),
    body: z.string().describe("Cut, and with secrets masked, as in run records."),
    bodyType: z.string().describe("The class of the body, as in Camel's logs."),
    unreadable: z
      .string()
      .nullable()
      .describe("Why the route could not read it, so that its run would fail; null: it can."),
  })
  .meta({ id: "PeekedMessage" });

export function peekEndpoints({ peek }: Pick<Services, "peek">): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/routes/:routeId/messages",
      action: "runs.read",
      name: "peekMessages",
      summary:
        "The next messages that wait for the consumer of a route, which stay where they are: records of kafka, and queues and durable subscriptions of jms, activemq, activemq6 and amqp.",
      params,
      query: z.strictObject({
        limit: wholeNumber(`a number from 1 to ${mostPeeked}`, 1, mostPeeked)
          .optional()
          .describe("The most messages; 10 by default."),
      }),
      answers: { 200: jsonAnswer("In the order in which they would be taken.", z.array(peekedSchema)) },
      errors: ["not_found", "not_peekable"],
      async handle({ params: { id, routeId }, query: { limit = 10 } }) {
        return [...(await peek.messages(id, routeId, limit))];
      },
    }),
  ];
}
