/** `/_api/flows/:id/state`: what a flow keeps between its messages. */
import * as z from "zod";
import { repositoryKinds, stateNamePattern } from "../../shared/state.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { idParams, jsonAnswer, noQuery, once, wholeNumber } from "./schemas.ts";
import type { Services } from "./services.ts";

const defaultLimit = 100;
const mostKeys = 1000;

const repositorySchema = z
  .object({
    kind: z.enum(repositoryKinds),
    name: z.string(),
    stepId: z.string().nullable().describe("null: the route's `from`, or no step of the flow as it is now."),
    keys: z.int(),
    bytes: z.int().describe("About what it takes on the disk, as the limit stateBytes counts."),
    oldest: z.string().nullable().describe("When its oldest key was stored."),
  })
  .meta({ id: "StateRepository" });

const keySchema = z
  .object({
    key: z.string(),
    digest: z
      .literal(true)
      .optional()
      .describe("The key is the digest of a text that has more than 256 characters or holds the value of a secret."),
    at: z.string().describe("When it was stored."),
    runId: z.string().nullable().describe("The run that has stored it; null: a consumer, outside of a run."),
    value: z.string().optional().describe("The value that the key has in a repository of the kind `values`."),
  })
  .meta({ id: "StateKey" });

const removedSchema = z.object({ name: z.string(), removed: z.int() }).meta({ id: "RemovedState" });

const params = z.object({
  id: idParams.shape.id,
  name: z
    .string()
    .regex(new RegExp(stateNamePattern, "u"), "must have no slashes and no control characters")
    .describe(
      "A bean's name, a step's id, or what a consumer makes of its scheme and its route's id, such as `file:orders`.",
    ),
});

const errors = ["not_found", "store_failed"] as const;

export function flowStateEndpoints({ state }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/state",
      action: "state.read",
      name: "listState",
      summary: "The repositories in which a flow keeps what outlasts its runs, sorted by name.",
      params: idParams,
      query: noQuery,
      answers: { 200: jsonAnswer("One entry per repository.", z.array(repositorySchema)) },
      errors,
      handle: ({ params: { id } }) => state.list(id),
    }),
    endpoint({
      method: "GET",
      path: "/_api/flows/:id/state/:name",
      action: "state.read",
      name: "listStateKeys",
      summary: `The keys of a repository, in their order. limit: ${defaultLimit} by default, at most ${mostKeys}.`,
      params,
      query: z.strictObject({
        prefix: once("the beginning of keys").optional(),
        limit: wholeNumber("a positive whole number", 1, mostKeys).optional(),
      }),
      answers: { 200: jsonAnswer("One entry per key.", z.array(keySchema)) },
      errors,
      handle: ({ params: { id, name }, query: { prefix = "", limit = defaultLimit } }) =>
        state.keys(id, name, prefix, limit),
    }),
    endpoint({
      method: "DELETE",
      path: "/_api/flows/:id/state/:name",
      action: "state.write",
      name: "deleteState",
      summary:
        "Forgets the keys of a repository, or the one that key names: messages with them count as new. What messages under way have taken stays theirs.",
      params,
      query: z.strictObject({ key: once("a key").optional() }),
      answers: { 200: jsonAnswer("Forgotten.", removedSchema) },
      errors: [...errors, "disk_full"],
      async handle({ params: { id, name }, query: { key } }) {
        const removed = await (key === undefined ? state.remove(id, name) : state.removeKey(id, name, key));
        return { name, removed };
      },
    }),
  ];
}
