/** `GET /_api/flows/:id/secrets` and `/_api/connection-secrets`: names of secrets, never values. */
import * as z from "zod";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { flowParams, jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

const secretSchema = z
  .object({
    name: z.string().describe("As in `{{secret:NAME}}`; with folders before it, such as `kafka/password`."),
    shared: z.boolean().describe("Its value is the one for all flows, since the flow has none of its own."),
  })
  .meta({ id: "SecretName" });

export function secretEndpoints({ secrets }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/secrets",
      action: "secrets.read",
      name: "listSecrets",
      summary:
        "The names of the secrets that a flow may use, sorted; the flow need not exist. Values are never answered.",
      params: flowParams,
      query: noQuery,
      answers: { 200: jsonAnswer("One entry for each name.", z.array(secretSchema)) },
      errors: ["store_failed"],
      handle: ({ params: { id } }) => secrets.names(id),
    }),
    endpoint({
      method: "GET",
      path: "/_api/connection-secrets",
      action: "secrets.read",
      name: "listConnectionSecrets",
      summary: "The names of the secrets of named connections, sorted. Values are never answered.",
      query: noQuery,
      answers: { 200: jsonAnswer("The names.", z.array(z.string())) },
      errors: ["store_failed"],
      handle: () => secrets.connectionNames(),
    }),
  ];
}
