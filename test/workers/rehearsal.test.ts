/** The flow that blank threads rehearse with: nobody hears of it when it does not work, and threads are slower then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { Outcome } from "../../src/shared/protocol.ts";
import { Announcements } from "../../src/workers/announcements.ts";
import { catalog } from "../../src/workers/catalog.ts";
import { compileFlow } from "../../src/workers/compile/compile-flow.ts";
import { withModules } from "../../src/workers/engine/late-module.ts";
import { MappingRegistry } from "../../src/workers/mappings/registry.ts";
import { ArmedSessions } from "../../src/workers/mocks/session-mocks.ts";
import { rehearsedFlow, rehearsedRun, silentLine } from "../../src/workers/rehearsal.ts";
import { RunTable } from "../../src/workers/run-table.ts";

test("it compiles, and its run takes every step and answers", async () => {
  const { model, limits } = rehearsedFlow;
  let frames: readonly unknown[] = [];
  const line = silentLine((sent) => {
    frames = sent;
  });
  const announced = new Announcements(line, limits, () => {});
  const flow = await withModules(() => compileFlow(model, limits, { port: announced }));
  assert.ok(flow.manifest.steps.every(({ type }) => catalog.steps.has(type)));
  const sessions = new ArmedSessions(flow, () => {});
  const runs = new RunTable(flow, line, limits, announced, new MappingRegistry({}), sessions, () => {});
  runs.invoke(rehearsedRun, 0);
  assert.equal(runs.active, 0);
  line.outbox.flush();
  const [log, slot, , , , message] = frames;
  assert.deepEqual([log, slot, message], [ToControl.log, 0, "a message"]);
  const [result, , outcome, , , body, , steps] = frames.slice(7);
  assert.deepEqual([result, outcome, body, steps], [ToControl.result, Outcome.ok, "a message", 4]);
});
