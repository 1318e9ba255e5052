/** A revision is written while the flow is checked and compiled: nothing of it is left when the flow is refused after all. */
import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { answering } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

async function filesOf(app: TestApp, id: string): Promise<readonly string[]> {
  const [routes, revisions] = await Promise.all([
    readdir(app.routesDirectory),
    readdir(join(app.directory, "data", "flows", id)),
  ]);
  return [...routes.filter((name) => name.includes(id)), ...revisions].sort();
}

async function codeOf(app: TestApp, id: string, yaml: string): Promise<string | null> {
  return (await app.put(id, yaml)).headers.get("x-error-code");
}

test("a flow that is not valid, does not start, or whose names are taken, leaves no file and no number behind", async (t) => {
  const app = await startTestApp(t);
  const needsSecret =
    "- route: { id: late, from: { uri: webhook, steps: [{ setBody: { constant: '{{secret:KEY}}' } }] } }";
  assert.equal((await app.put("orders", answering("orders", "one"))).status, 201);
  assert.equal(await codeOf(app, "late", "- route: { id: late }"), "flow_invalid");
  assert.deepEqual(await filesOf(app, "late"), []);
  assert.equal(await codeOf(app, "late", needsSecret), "flow_failed");
  assert.deepEqual(await filesOf(app, "late"), []);
  assert.equal(await codeOf(app, "late", answering("orders", "two")), "route_taken");
  assert.deepEqual(await filesOf(app, "late"), []);
  const made = await app.put("late", answering("late", "one"));
  assert.equal(((await made.json()) as { revision: number }).revision, 1);
  assert.equal(await codeOf(app, "late", needsSecret), "flow_failed");
  assert.deepEqual(await filesOf(app, "late"), ["1.json", "head.json", "late.yaml"]);
  assert.equal(await (await app.post("/api/late")).text(), "one");
});
