/** `/_api/connections`: named connections to servers. */
import * as z from "zod";
import {
  connectionBodySchema,
  connectionDetailSchema,
  connectionPutSchema,
  connectionRemovedSchema,
  connectionSummarySchema,
  connectionTestSchema,
  connectionTrialSchema,
  nameParams,
} from "./connection-schemas.ts";
import { type Endpoint, endpoint } from "./endpoint.ts";
import { forceQuery } from "./mapping-schemas.ts";
import { flowTag, sendConditional } from "./representations.ts";
import { jsonAnswer, noQuery } from "./schemas.ts";
import type { Services } from "./services.ts";

const path = "/_api/connections";
const stores = ["precondition_failed", "store_failed", "lock_lost", "disk_full", "draining"] as const;

export function connectionEndpoints({ connections }: Services): Endpoint[] {
  return [
    endpoint({
      method: "GET",
      path,
      action: "connections.read",
      name: "listConnections",
      summary: "The connections, sorted by name, with their states.",
      query: noQuery,
      answers: {
        200: jsonAnswer("One entry for each.", z.array(connectionSummarySchema)),
        304: { description: "As the caller has it." },
      },
      async handle({ request, reply }) {
        const text = JSON.stringify(await connections.list());
        return sendConditional(request, reply, text, "application/json; charset=utf-8");
      },
    }),
    endpoint({
      method: "GET",
      path: `${path}/:name`,
      action: "connections.read",
      name: "getConnection",
      summary: "The document as it was sent, with its state and its users; its revision as X-Revision.",
      params: nameParams,
      query: noQuery,
      answers: { 200: jsonAnswer("The connection.", connectionDetailSchema) },
      errors: ["not_found", "store_failed"],
      async handle({ params: { name }, reply }) {
        const { document, state, usedBy, ...version } = await connections.get(name);
        reply.header("ETag", flowTag(version)).header("X-Revision", String(version.revision));
        return { ...document, state, usedBy };
      },
    }),
    endpoint({
      method: "PUT",
      path: `${path}/:name`,
      action: "connections.write",
      name: "putConnection",
      summary:
        "Installs or replaces a connection; answered when every flow that uses it has it. Open connections with other settings are closed when nobody uses them.",
      params: nameParams,
      query: noQuery,
      body: { schema: connectionBodySchema, media: ["json"] },
      answers: {
        200: jsonAnswer("Replaced, or unchanged.", connectionPutSchema),
        201: jsonAnswer("Created.", connectionPutSchema),
      },
      errors: ["connection_invalid", "id_case_clash", ...stores],
      async handle({ params: { name }, body, request, reply }) {
        const conditions = { ifMatch: request.headers["if-match"], ifNoneMatch: request.headers["if-none-match"] };
        const { created, ...answer } = await connections.put(name, body, conditions);
        reply.header("ETag", flowTag(answer));
        if (created) reply.code(201).header("Location", `${path}/${name}`);
        return answer;
      },
    }),
    endpoint({
      method: "DELETE",
      path: `${path}/:name`,
      action: "connections.write",
      name: "deleteConnection",
      summary: "Removes a connection that no flow uses; force=true: stops the routes that use it, and removes it.",
      params: nameParams,
      query: forceQuery,
      answers: { 200: jsonAnswer("Removed.", connectionRemovedSchema) },
      errors: ["not_found", "connection_in_use", ...stores],
      async handle({ params: { name }, query: { force }, request }) {
        const stopped = await connections.remove(name, { force, ifMatch: request.headers["if-match"] });
        return { name, deleted: true, stopped };
      },
    }),
    endpoint({
      method: "POST",
      path: `${path}/:name/test`,
      action: "connections.test",
      name: "testConnection",
      summary:
        "Connects to the server from a thread, as flows do, and asks it for its version; with a document that one is tried, and is not kept.",
      params: nameParams,
      query: noQuery,
      body: { schema: connectionTrialSchema, media: ["json"], optional: true },
      answers: { 200: jsonAnswer("What was found, or why the connection cannot be opened.", connectionTestSchema) },
      errors: ["not_found", "connection_invalid"],
      async handle({ params: { name }, body: { document } }) {
        const { failure, ...found } = { failure: undefined, ...(await connections.test(name, document)) };
        return failure === undefined ? { ok: true, ...found } : { ok: false, error: failure };
      },
    }),
  ];
}
