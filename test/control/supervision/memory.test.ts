/** The soft limit of a thread's memory: what is live counts, and garbage does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDocument } from "../../../src/control/runs/run-document.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";

const hungry = new URL("../../support/hungry-worker.ts", import.meta.url);
const workerMemoryBytes = 40 * 1024 * 1024;
const waiting = webhook("r", `delay: { simple: "\${header.ms}" }`, "setBody: { constant: done }");

test("a thread full of garbage lives, one full of live data ends with the run that filled it", async (t) => {
  const app = await startTestApp(t, { threadEntry: hungry });
  await app.put("f", waiting, { limits: { workerMemoryBytes, webhookWallMs: 120_000 } });
  assert.equal(await (await app.post("/api/r", "garbage", { ms: "2500" })).text(), "done");
  const lost = await app.post("/api/r", "live", { ms: "60000" });
  assert.deepEqual([lost.status, lost.headers.get("x-error-code")], [500, "run_killed"]);
  const [killed, completed] = (await (await app.api("/runs?routeId=r")).json()) as [RunDocument, RunDocument];
  assert.deepEqual([completed.status, killed.status, killed.outcome], ["completed", "killed", "memory_limit"]);
  assert.equal(killed.worker, completed.worker, "the garbage has cost the thread");
  assert.deepEqual([killed.limit?.name, killed.limit?.allowed], ["workerMemoryBytes", workerMemoryBytes]);
  assert.ok((killed.limit?.used ?? 0) > workerMemoryBytes);
  assert.match(
    killed.error?.message ?? "",
    /heap and external memory: [\d ]+ bytes; workerMemoryBytes allows 41 943 040/,
  );
  assert.ok(app.logs.some(({ message }) => message.startsWith("a thread was killed (memory_limit)")));
});
