/** Documents of connections to the databases of tests. */
import assert from "node:assert/strict";
import type { TestApp } from "../../support/start-app.ts";
import type { DatabaseServer } from "../database-server.ts";

/** The document of a connection to the server. */
export function connectionTo(
  { kind, host, port, database, username }: DatabaseServer,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { kind, servers: [`${host}:${port}`], database, username, passwordRef: "DB", ...more };
}

export async function putConnection(
  app: Pick<TestApp, "api">,
  name: string,
  document: Record<string, unknown>,
): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const answer = await app.api(`/connections/${name}`, { method: "PUT", headers, body: JSON.stringify(document) });
  assert.ok(answer.ok, await answer.text());
}
