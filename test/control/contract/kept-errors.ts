/** Errors that come of what flows keep: groups of another `aggregate` step, and data that was restored and waits. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { waitingMessages } from "../../support/failed-messages.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";
import type { Causes } from "./declared.ts";
import { failing, send, sendJson, timer } from "./requests.ts";

const gathering = (strategy: string): string =>
  `- beans: [{ name: kept, type: org.apache.camel.processor.aggregate.jdbc.JdbcAggregationRepository }]\n${webhook(
    "gathering",
    `aggregate: { id: gather, correlationExpression: { constant: k }, completionSize: 3, aggregationRepository: kept, aggregationStrategy: "#class:org.apache.camel.processor.aggregate.${strategy}", steps: [{ log: x }] }`,
  )}`;

/** Of a step whose groups are open, and which a change could not continue. */
export async function groupErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t);
  const before = gathering("UseLatestAggregationStrategy");
  const code = "state_in_use";
  for (const yaml of [before, gathering("GroupedBodyAggregationStrategy")]) {
    const answer = await app.put("f", yaml);
    assert.ok(answer.ok, await answer.text());
  }
  assert.equal((await app.post("/api/gathering", "1")).status, 200);
  await causes.note("putFlow", code, await app.put("f", before));
  const set = { set: "s", flows: [{ id: "f", yaml: before }] };
  await causes.note("deploySet", code, await sendJson(app, "POST", "/deployments", set));
  const first = { id: "f", body: { revision: 1 } };
  await causes.note("rollbackFlow", code, await send(app, causes.operation("rollbackFlow"), first));
  await writeFile(join(app.routesDirectory, "f.yaml"), before);
  await causes.note("reloadFlow", code, await send(app, causes.operation("reloadFlow"), { id: "f" }));
  assert.equal((await app.api("/flows/f?keep=state", { method: "DELETE" })).status, 200);
  await writeFile(join(app.routesDirectory, "f.yaml"), before);
  await causes.note("startFlow", code, await send(app, causes.operation("startFlow"), { id: "f" }));
}

/** Of messages whose flow waits until the operator has begun what was restored. */
export async function heldErrors(t: TestContext, causes: Causes): Promise<void> {
  const app = await startTestApp(t);
  await app.put("f", failing + timer);
  await app.post("/api/failing", "x", { Prefer: "respond-async" });
  await waitingMessages(app, 1);
  await app.close();
  const held = await startTestApp(t, { directory: app.directory, held: true });
  await waitingMessages(held, 1);
  const many = await send(held, causes.operation("retryManyFailed"), { body: { flowId: "f" } });
  await causes.note("retryManyFailed", "not_retryable", many);
}
