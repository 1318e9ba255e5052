/** Flows that call servers by a named connection of the kind http. */
import assert from "node:assert/strict";
import { webhook } from "../../support/flows.ts";
import type { TestApp } from "../../support/start-app.ts";

const headers = { "Content-Type": "application/json" };

/** Installs the connection `known`. */
export async function putConnection(app: TestApp, document: Readonly<Record<string, unknown>>): Promise<Response> {
  const body = JSON.stringify({ kind: "http", flows: ["*"], ...document });
  return await app.api("/connections/known", { method: "PUT", headers, body });
}

/** Deploys a flow `id` that calls the URI, sends it a body, and resolves with the answer, or with the run's error. */
export async function call(app: TestApp, id: string, uri: string, body = "x"): Promise<string> {
  const put = await app.put(id, webhook(id, `to: { uri: ${JSON.stringify(uri)} }`));
  assert.ok(put.ok, await put.text());
  return await again(app, id, body);
}

/** Sends a body to a flow that is deployed. */
export async function again(app: TestApp, id: string, body = "x"): Promise<string> {
  const answer = await app.post(`/api/${id}`, body);
  if (answer.ok) return await answer.text();
  const said = await answer.text();
  const [run] = (await (await app.api(`/runs?routeId=${id}&status=failed&limit=1`)).json()) as {
    error?: { type: string; message: string };
  }[];
  return run?.error === undefined ? `${answer.status} ${said}` : `${run.error.type}: ${run.error.message}`;
}
