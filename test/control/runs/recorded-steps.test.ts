/** What a thread tells of the steps of a run: read as from a stranger, its messages only when somebody looks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { runDetail } from "../../../src/control/runs/run-document.ts";
import { readSteps } from "../../../src/control/threads/line/run-frames.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { aRun, ended } from "./a-run.ts";

const message = JSON.stringify({ headers: { a: 1 }, body: { b: [2] }, bodyType: "String" });

function read(told: unknown, limits = defaultLimits): ReturnType<typeof readSteps> {
  return readSteps(typeof told === "string" ? told : JSON.stringify(told), limits);
}

test("steps that saw the same message share it", () => {
  const [whole, step] = read({
    messages: [message],
    steps: [
      { timing: -1, in: 0 },
      {
        timing: 0,
        in: 0,
        out: 0,
        mocked: true,
        error: { type: "a.B", message: "m", statusCode: 404, responseBody: "b" },
      },
    ],
  });
  assert.deepEqual(whole?.in, { headers: { a: 1 }, body: { b: [2] }, bodyType: "String" });
  assert.equal(step?.in, step?.out);
  assert.deepEqual([step?.mocked, step?.outbound, whole?.out], [true, undefined, undefined]);
  assert.deepEqual(step?.error, { type: "a.B", message: "m", statusCode: 404, responseBody: "b" });
});

const unreadable: readonly [what: string, told: unknown, limits?: Partial<typeof defaultLimits>][] = [
  ["no JSON", "{"],
  ["a list", []],
  ["no messages", { steps: [] }],
  ["messages that are no texts", { messages: [{}], steps: [] }],
  ["a step that is none", { messages: [], steps: [null] }],
  ["a message that is not there", { messages: [], steps: [{ timing: 0, in: 0 }] }],
  ["a message at no number", { messages: [message], steps: [{ timing: 0, in: "length" }] }],
  ["a timing at no number", { messages: [], steps: [{ timing: 0.5 }] }],
  ["more steps than timings", { messages: [], steps: Array.from({ length: 1201 }, () => ({ timing: -1 })) }],
  ["an error without a type", { messages: [], steps: [{ timing: 0, error: {} }] }],
  [
    "a long answer",
    { messages: [], steps: [{ timing: 0, error: { type: "a", message: "", responseBody: "b".repeat(40_000) } }] },
  ],
  ["messages over the limit", { messages: [message], steps: [] }, { runRecordBytes: 10 }],
  ["a text over the limit", `{"messages": [], "steps": []${" ".repeat(2_000_000)}}`, { runRecordBytes: 10 }],
];

test("what the runtime's threads never tell is refused", () => {
  for (const [what, told, limits] of unreadable) {
    assert.throws(() => read(told, { ...defaultLimits, ...limits }), Error, what);
  }
});

test("a message that is none is not shown, and harms nobody", () => {
  const messages = [
    "{",
    "1",
    "null",
    "[]",
    '{"headers": null, "bodyType": ""}',
    `{"headers":{},"bodyType":"","body":${"[".repeat(9000)}${"]".repeat(9000)}}`,
  ];
  const record = ended(aRun(), "completed");
  record.timings = messages.flatMap((_, i) => [0, i, 1]);
  record.steps = read({ messages, steps: messages.map((_, timing) => ({ timing, in: timing, out: timing })) });
  const { stepRuns } = runDetail(record);
  assert.equal(stepRuns.length, messages.length);
  assert.ok(stepRuns.every((step) => step.in === undefined && step.out === undefined));
});
