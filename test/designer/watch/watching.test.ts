/** What the page makes of trace events, lines and recorded runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { StepCounters } from "../../../designer/web/src/live/counters.ts";
import { FollowedRun } from "../../../designer/web/src/live/followed-run.ts";
import { Tail } from "../../../designer/web/src/live/tail.ts";
import { effectOf, indented, textOfMessage } from "../../../designer/web/src/runs/messages.ts";
import { marksOf, rowsOf, type StepRun } from "../../../designer/web/src/runs/step-rows.ts";
import type { TraceEvent } from "../../../src/client/index.ts";

function traced(type: TraceEvent["type"], runId: string, stepId?: string, more: Partial<TraceEvent> = {}): TraceEvent {
  return { type, ts: "2026-01-01T00:00:00.000Z", flowId: "f", runId, ...(stepId !== undefined && { stepId }), ...more };
}

test("steps count what ended, what failed, who is in them, and the 95th percentile of the last durations", () => {
  const counters = new StepCounters();
  const runs = Array.from({ length: 100 }, (_, at) => `r${at}`);
  counters.take(
    runs.flatMap((run, at) => [
      traced("step.started", run, "a"),
      traced("step.completed", run, "a", { durationMs: at + 1 }),
    ]),
  );
  const changed = counters.take([
    traced("step.started", "x", "b"),
    traced("step.started", "x", "c"),
    traced("step.failed", "x", "c", { durationMs: 2, error: { type: "T", message: "m", line: 1, stepId: "c" } }),
  ]);
  assert.deepEqual([...changed], ["b", "c"]);
  assert.deepEqual(counters.get("a"), { done: 100, failed: 0, running: 0, p95Ms: 95, lastError: undefined });
  assert.deepEqual(counters.get("c"), { done: 1, failed: 1, running: 0, p95Ms: 2, lastError: "T: m" });
  assert.equal(counters.get("b")?.running, 1);
  assert.deepEqual(counters.stepsOf("x"), ["b"]);
  assert.deepEqual([...counters.take([traced("run.killed", "x")])], ["b"]);
  assert.equal(counters.get("b")?.running, 0);
});

test("counts that have not changed stay the same object, so that their badges are not drawn again", () => {
  const counters = new StepCounters();
  counters.take([traced("step.completed", "r", "a"), traced("step.completed", "r", "b")]);
  const [a, b] = [counters.get("a"), counters.get("b")];
  counters.take([traced("step.completed", "s", "b")]);
  assert.equal(counters.get("a"), a);
  assert.notEqual(counters.get("b"), b);
});

test("a paused tail stands still and counts what comes; it is bounded, filtered, and adds up what was dropped", () => {
  const tail = new Tail<number>(3);
  tail.take([1, 2], 4);
  tail.pause(true);
  tail.take([3, 4], 1);
  assert.deepEqual(tail.get(), { shown: [1, 2], dropped: 5, paused: true, behind: 2 });
  assert.equal(tail.get(), tail.get());
  tail.pause(false);
  assert.deepEqual(tail.get().shown, [2, 3, 4]);
  tail.filter((line) => line % 2 === 0);
  assert.deepEqual(tail.get().shown, [2, 4]);
});

test("JSON is laid out with every digit, and what is cut or no JSON stays as it is", () => {
  assert.equal(
    indented('{"a":9007199254740993,"b":[],"c":[1,{"d":"x,]\\""}]}'),
    '{\n  "a": 9007199254740993,\n  "b": [],\n  "c": [\n    1,\n    {\n      "d": "x,]\\""\n    }\n  ]\n}',
  );
  for (const text of ['{"a":1', "plain", "[x]", ""]) assert.equal(indented(text), text);
});

test("a message is its headers by name, its attachments and its body", () => {
  const message = {
    headers: { b: "2", a: "1" },
    body: "hi",
    bodyType: "string",
    attachments: [{ name: "f", contentType: "text/plain", bytes: 3 }],
  };
  assert.equal(textOfMessage(message), "a: 1\nb: 2\nattachment f: f (text/plain, 3 bytes)\n\nhi\n");
  assert.equal(effectOf(message, { ...message, body: "ho" }), "body");
  assert.equal(effectOf(message, { ...message, headers: { a: "1" } }), "headers");
  assert.equal(effectOf(message, { ...message, body: "hi, cut elsewhere", headers: { a: "1" } }, true), "headers");
  assert.equal(effectOf(message, message), "none");
  assert.equal(effectOf(message, undefined), "unknown");
});

test("rows of a run are in the order of their begin, with the remote's answer on the step that failed", () => {
  const step = (id: string, ms: number, status: "completed" | "failed" = "completed"): StepRun => ({
    ...{ id, status, duration: 2, mocked: false, type: "to" },
    start: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
  });
  const detail = { status: 503, headers: {}, body: "busy" };
  const stepRuns = [step("post", 9, "failed"), step("post", 4, "failed"), step("log", 1)];
  const rows = rowsOf({
    ...{ startedAt: "2026-01-01T00:00:00.000Z", stepRuns },
    error: { type: "T", message: "m", stepId: "post", line: 3, detail },
  });
  assert.deepEqual(
    rows.map(({ index, step: { id }, afterMs }) => [index, id, afterMs]),
    [
      [0, "log", 1],
      [1, "post", 4],
      [2, "post", 9],
    ],
  );
  assert.deepEqual(
    rows.map(({ answer }) => answer?.status),
    [undefined, 503, undefined],
  );
  const marks = marksOf(stepRuns, ["log", "post", "never"]);
  assert.deepEqual(marks.get("post"), { state: "failed", times: 2, durationMs: 4, mocked: false });
  assert.deepEqual([marks.get("log")?.state, marks.get("never")?.state], ["ok", "skipped"]);
});

test("one run is followed to its end, and stays a moment before the next one is taken", () => {
  const run = new FollowedRun();
  const at = (ms: number) => ({ ts: new Date(ms).toISOString() });
  run.take([
    traced("run.started", "r1", undefined, at(0)),
    traced("run.started", "r2", undefined, at(1)),
    traced("step.started", "r1", "a", at(2)),
    traced("step.started", "r2", "b", at(2)),
    traced("step.failed", "r1", "a", { ...at(3), durationMs: 7 }),
  ]);
  assert.deepEqual([run.id, [...run.steps]], ["r1", [["a", { state: "failed", times: 1, durationMs: 7 }]]]);
  run.take([traced("run.failed", "r1", undefined, at(10)), traced("run.started", "r3", undefined, at(1000))]);
  assert.equal(run.id, "r1");
  run.take([traced("run.started", "r4", undefined, at(2000))]);
  assert.deepEqual([run.id, run.steps.size], ["r4", 0]);
});
