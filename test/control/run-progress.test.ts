/** How far a run has come while it is under way, as GET tells it: nothing is sent for it, wherever the run's thread is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunDetail, RunDocument } from "../../src/control/runs/run-document.ts";
import type { Isolation } from "../../src/shared/protocol.ts";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

async function theRun(app: TestApp): Promise<RunDetail> {
  const [listed] = (await (await app.api("/runs?limit=1")).json()) as RunDocument[];
  return (await (await app.api(`/runs/${listed?.id}`)).json()) as RunDetail;
}

/** The run once so many parts have ended. Figures of a thread are those of the moment; a host process may be too busy to answer in time. */
async function runWith(app: TestApp, isolation: Isolation, done: number): Promise<RunDetail> {
  if (isolation === "thread") return await theRun(app);
  return await eventually(async () => {
    const run = await theRun(app);
    return run.split?.done === done ? run : undefined;
  }, `the host process reports ${done} parts`);
}

const places: readonly Isolation[] = ["thread", "process"];

for (const isolation of places) {
  test(`a run's steps, CPU time and split are told while it waits, in a ${isolation}`, async (t) => {
    const held: (() => void)[] = [];
    const server = await startHttpServer(t, (request, response) => {
      if (request.body === "c") held.push(() => response.end("ok"));
      else response.end("ok");
    });
    const app = await startTestApp(t, { egressAllow: server.host, isolation });
    const inner = `{ split: { simple: "\${body}", delimiter: "+", steps: [{ to: "${server.url}" }] } }`;
    const split = `split: { simple: "\${body}", delimiter: ",", steps: [${inner}] }`;
    const streamed = `split: { tokenize: ",", streaming: true, steps: [{ to: "${server.url}" }] }`;
    await app.put("f", webhook("known", 'log: "begun"', split) + webhook("streamed", streamed));

    const known = app.post("/api/known", "a,b+b,c,d", { "Content-Type": "text/plain" });
    await eventually(() => held.length === 1, "the third part is under way");
    const first = await runWith(app, isolation, 2);
    assert.equal(first.status, "running");
    assert.deepEqual(first.split, { done: 2, of: 4 });
    // log, split, three inner splits, four calls.
    assert.equal(first.steps.executed, 9);
    assert.ok(first.cpuMs > 0 && first.cpuMs <= first.durationMs, `${first.cpuMs} ms of ${first.durationMs}`);
    held.pop()?.();
    await known;
    const after = await theRun(app);
    assert.equal(after.status, "completed");
    assert.equal(after.split, null);
    assert.equal(after.steps.executed, 11);

    const streaming = app.post("/api/streamed", "a,c", { "Content-Type": "text/plain" });
    await eventually(() => held.length === 1, "the second part is under way");
    // In the slot of the run before, of which nothing is left.
    const second = await runWith(app, isolation, 1);
    assert.deepEqual(second.split, { done: 1, of: null });
    assert.equal(second.steps.executed, 3);
    held.pop()?.();
    await streaming;
  });
}

test("a run that was killed with its thread has the figures that it had reached", async (t) => {
  const app = await startTestApp(t);
  const flow = webhook("r", "log: a", "log: b", "delay: { constant: 3600000 }");
  await app.put("f", flow);
  const answer = app.post("/api/r", "x");
  await eventually(async () => {
    const seen = await theRun(app);
    return "steps" in seen && seen.steps.executed === 3;
  }, "it waits in its third step");
  await app.put("f", flow.replace("log: b", "log: c"), {}, "?drainMs=0");
  await answer;
  const run = await theRun(app);
  assert.equal(run.status, "killed");
  assert.equal(run.steps.executed, 3);
  assert.ok(run.cpuMs > 0);
});

test("a run that never waits reports how far it has come, and what it has used, too", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("busy", `loop: { constant: "90000", steps: [{ setBody: { simple: "\${body}" } }] }`));
  let answer = app.post("/api/busy", "x");
  const run = await eventually(async () => {
    const seen = await theRun(app);
    if (seen.status !== "running") {
      // It was over before it was looked at.
      await answer;
      answer = app.post("/api/busy", "x");
    }
    return seen.status === "running" && seen.steps.executed > 1 && seen.cpuMs > 0 ? seen : undefined;
  }, "a run under way has figures");
  assert.ok(run.steps.executed < 90_001);
  const later = await eventually(async () => {
    const seen = await theRun(app);
    return seen.status !== "running" || seen.steps.executed > run.steps.executed ? seen : undefined;
  }, "they grow");
  assert.ok(later.cpuMs > run.cpuMs);
  await answer;
});
