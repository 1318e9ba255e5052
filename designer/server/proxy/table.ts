/**
 * The operations of a runtime's API that browsers may call, each with the least role, and those that they may not.
 * Everything else is refused. A test compares both lists with the runtime's OpenAPI document.
 */
import type { Role } from "../../shared/wire.ts";

export interface Operation {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  /** As the OpenAPI document has it, with `:name` for a parameter. */
  readonly path: string;
  readonly least: Role;
  /** How much its body may have (limits.proxyBodyBytes). */
  readonly body?: "usual" | "document" | "set";
  /** It answers with an event stream, which the connection of a browser may carry (http/stream-routes.ts). */
  readonly isStream?: true;
  /** Fields of a JSON body that need another role than the operation itself; `flows.policy`: of each entry of a list. */
  readonly fields?: Readonly<Record<string, Role>>;
}

function reads(...paths: readonly string[]): readonly Operation[] {
  return paths.map((path) => ({ method: "GET", path: `/_api${path}`, least: "viewer" }));
}

function changes(least: Role, ...lines: readonly string[]): readonly Operation[] {
  return lines.map((line) => {
    const [method, path] = line.split(" ");
    return { method: method as Operation["method"], path: `/_api${path}`, least, body: "usual" };
  });
}

export const operations: readonly Operation[] = [
  ...reads("/health", "/flows", "/flows/:id", "/flows/:id/revisions", "/flows/:id/state", "/flows/:id/state/:name"),
  ...reads("/runs", "/runs/:runId", "/runs/:runId/fixture", "/failed", "/failed/:id", "/usage", "/metrics"),
  ...reads("/trace/stream", "/logs/stream").map((one) => ({ ...one, isStream: true as const })),
  ...reads("/catalog", "/flow-schema.json", "/openapi.json", "/limits"),
  ...reads("/value-mappings", "/value-mappings/:id", "/message-mappings", "/message-mappings/:id"),
  ...reads("/connections", "/connections/:name"),
  ...reads("/auth", "/auth/:flowId", "/test/session", "/test/session/:id"),
  // What a flow may name is for those who write flows, and what a connection may name for those who write connections.
  { method: "GET", path: "/_api/flows/:id/secrets", least: "editor" },
  { method: "GET", path: "/_api/connection-secrets", least: "operator" },
  // It shows the bodies of messages that no run has taken.
  { method: "GET", path: "/_api/flows/:id/routes/:routeId/messages", least: "editor" },
  // It names people and their addresses.
  { method: "GET", path: "/_api/audit", least: "operator" },

  // A flow's PUT may bring its access policy, which is an operator's to change.
  { method: "PUT", path: "/_api/flows/:id", least: "editor", body: "usual", fields: { policy: "operator" } },
  ...changes("editor", "POST /flows/:id/validate", "POST /flows/:id/routes/:routeId/trigger"),
  { method: "PUT", path: "/_api/value-mappings/:id", least: "editor", body: "document" },
  { method: "PUT", path: "/_api/message-mappings/:id", least: "editor", body: "document" },
  ...changes("editor", "DELETE /value-mappings/:id", "DELETE /message-mappings/:id"),
  ...changes("editor", "POST /value-mappings/:id/lookup"),
  // A trial may bring the document along.
  { method: "POST", path: "/_api/message-mappings/:id/test", least: "editor", body: "document" },
  { method: "POST", path: "/_api/value-mappings/:id/test", least: "editor", body: "document" },
  ...changes("editor", "POST /test/session", "DELETE /test/session/:id", "POST /test/validate", "POST /test/invoke"),
  ...changes("editor", "POST /test/expression"),
  ...changes("editor", "POST /runs/:runId/cancel", "POST /failed/:id/retry", "POST /failed/retry"),
  ...changes("editor", "POST /auth/:flowId/can"),

  // A reload reads the options and the policy of the file beside the flow's.
  ...changes("operator", "POST /flows/:id/start", "POST /flows/:id/stop", "POST /flows/:id/reload"),
  ...changes("operator", "POST /flows/:id/rollback", "DELETE /flows/:id", "DELETE /flows/:id/state/:name"),
  ...changes("operator", "PUT /auth/:flowId", "DELETE /auth/:flowId"),
  ...changes("operator", "DELETE /failed/:id", "POST /failed/discard"),
  // A connection leads flows to a server, with the secrets of that server.
  {
    method: "POST",
    path: "/_api/connections/:name/test",
    least: "editor",
    body: "usual",
    // A document of the caller's may send any secret of connections to any server.
    fields: { document: "operator" },
  },
  ...changes("operator", "PUT /connections/:name", "DELETE /connections/:name"),
  // A flow with its mappings, all or none. A named set may remove flows; policies and connections are an operator's.
  {
    ...{ method: "POST", path: "/_api/deployments", least: "editor", body: "set" },
    fields: { set: "operator", policies: "operator", connections: "operator", "flows.policy": "operator" },
  },
];

export interface RefusedOperation extends Pick<Operation, "method" | "path"> {
  readonly why: string;
}

export const refusedOperations: readonly RefusedOperation[] = [
  {
    method: "GET",
    path: "/_api/backup",
    why: "a backup has everything that the runtime keeps: it is made with the deploy token, not in a browser",
  },
];
