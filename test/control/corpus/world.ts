/** What the runtime that the cases are sent to must have: a few flows, and a way to look whether the canary was heard. */
import assert from "node:assert/strict";
import { direct, webhook } from "../../support/flows.ts";

export interface World {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** Texts that no answer may hold: the token and places on the disk. */
  readonly secrets: readonly string[];
}

export function worldAt(url: string, token: string): World {
  return { url, port: Number(new URL(url).port), token, secrets: [token, process.cwd(), "node_modules", "/src/"] };
}

/** The request that is written behind broken ones: `POST /api/canary` makes a run of the route `canary`. */
export const canaryRequest =
  "POST /api/canary HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

const flows: Readonly<Record<string, string>> = {
  canary: webhook("canary", 'setBody: { constant: "heard" }'),
  echo: webhook("echo", "setBody: { simple: '${body}' }"),
  headers: webhook("headers", "setBody: { simple: '${headers}' }"),
  method: webhook("method", "setBody: { simple: '${header.CamelHttpMethod}|${header.x-http-method-override}' }"),
  "other-owner": webhook("owned", 'log: "x"'),
  callee: direct("callee", "callee", 'log: "x"'),
  resting: webhook("resting", 'log: "x"'),
  ticker: "- route:\n    id: ticker\n    from:\n      uri: timer:t?delay=1h\n      steps:\n        - stop: {}\n",
};

export async function furnish(world: World): Promise<void> {
  for (const [id, yaml] of Object.entries(flows)) {
    const response = await manage(world, "PUT", `/flows/${id}`, JSON.stringify({ yaml }));
    assert.ok(response.ok, await response.text());
  }
  await manage(world, "POST", "/flows/resting/stop");
}

/** Removes what cases have deployed, so that they can be sent again. */
export async function tidy(world: World): Promise<void> {
  const list: unknown = await (await manage(world, "GET", "/flows")).json();
  assert.ok(Array.isArray(list));
  for (const { id } of list) {
    if (!Object.hasOwn(flows, id)) await (await manage(world, "DELETE", `/flows/${id}?purge=true`)).arrayBuffer();
  }
}

/** Runs under way and waiting, of all flows, as the metrics tell them. */
export async function busyRuns(world: World): Promise<number> {
  const text = await (await manage(world, "GET", "/metrics")).text();
  const gauges = [...text.matchAll(/^bulkhead_runs_(?:in_flight|queued)\{.*\} (\d+)$/gm)];
  assert.ok(gauges.length > 0);
  return gauges.reduce((sum, [, value]) => sum + Number(value), 0);
}

export function manage({ url, token }: World, method: string, path: string, body?: string): Promise<Response> {
  return fetch(`${url}/_api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
    ...(body !== undefined && { body }),
  });
}

/** How often the canary's route has run. */
export async function canaryRuns(world: World): Promise<number> {
  const runs: unknown = await (await manage(world, "GET", "/runs?routeId=canary&limit=500")).json();
  assert.ok(Array.isArray(runs));
  return runs.length;
}
