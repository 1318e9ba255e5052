/** Recorded calls as threads tell them: what is none of a session's is refused, and more than there is room for is counted only. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptCalls } from "../../../src/control/runs/test-sessions/kept-results.ts";
import { readMocked } from "../../../src/control/threads/line/run-frames.ts";
import { SentSessions } from "../../../src/control/threads/line/thread-line.ts";
import { type FrameToThread, ToThread } from "../../../src/shared/frames-to-thread.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { MockedCall, MockSet } from "../../../src/shared/mock.ts";
import { Outbox } from "../../../src/shared/outbox.ts";

const set: MockSet = {
  targets: [{ stepId: "a" }],
  mocks: [{ target: 0, actions: [{ kind: "spy" }], times: 0, after: "passthrough" }],
};
const message = { headers: {}, body: null, bodyType: "null" };
const call: MockedCall = {
  seq: 1,
  mock: 0,
  target: 0,
  stepId: "a",
  routeId: "r",
  action: "spy",
  at: 1,
  durationMs: 0.5,
  request: { ...message, properties: {} },
  response: message,
  error: null,
};
const read = (told: unknown): MockedCall => readMocked(JSON.stringify(told), set, defaultLimits);

let deep: unknown = 1;
for (let i = 0; i < 200; i += 1) deep = [deep];

const bad: Readonly<Record<string, unknown>> = {
  "a number": 5,
  nothing: null,
  "a list": [],
  "a mock that the session does not have": { ...call, mock: 1 },
  "a mock below": { ...call, mock: -1 },
  "a number in words": { ...call, seq: "1" },
  "an action that mocks do not have": { ...call, action: "delay" },
  "a time before 1970": { ...call, at: -1 },
  "no request": { ...call, request: null },
  "a request without headers": { ...call, request: { ...message, headers: [], properties: {} } },
  "a request without properties": { ...call, request: message },
  "a uri that is a number": { ...call, request: { ...call.request, uri: 5 } },
  "a response that is a text": { ...call, response: "x" },
  "an error without its message": { ...call, error: { type: "x" } },
  "a body that is nested too deep": { ...call, response: { ...message, body: deep } },
  "a call that is too long": { ...call, stepId: "x".repeat(50 * defaultLimits.recordedBytes) },
};

for (const [name, told] of Object.entries(bad)) {
  test(`a thread that tells of ${name} is not understood`, () => assert.throws(() => read(told)));
}

test("a call is read as it is, without what does not belong to it", () => {
  assert.deepEqual(read({ ...call, target: 7, more: 1, response: { ...message, status: 201, more: 1 } }), {
    ...call,
    response: { ...message, status: 201 },
  });
});

test("calls are kept by number and size, in their order, and the others are counted", () => {
  const of = (seq: number): { call: MockedCall; runId: string; rootId: string; flowId: string } => ({
    ...{ call: { ...call, seq }, runId: "r", rootId: "r", flowId: "f" },
  });
  const byNumber = new KeptCalls(2, 1000, { now: 0, most: 1000 });
  for (const seq of [3, 1, 2]) byNumber.add(of(seq), 10);
  assert.deepEqual(
    byNumber.all().map((kept) => kept.call.seq),
    [1, 3],
  );
  assert.deepEqual([byNumber.received, byNumber.refused, byNumber.bytes], [3, 1, 40]);
  const bySize = new KeptCalls(10, 100, { now: 0, most: 1000 });
  for (const characters of [40, 20, 10]) bySize.add(of(characters), characters);
  assert.deepEqual(
    bySize.all().map((kept) => kept.call.seq),
    [10, 40],
  );
});

test("calls of all sessions are kept in one room, which one that is forgotten gives back", () => {
  const kept = { call, runId: "r", rootId: "r", flowId: "f" };
  const total = { now: 0, most: 100 };
  const [one, other] = [new KeptCalls(10, 100, total), new KeptCalls(10, 100, total)];
  one.add(kept, 30);
  other.add(kept, 30);
  assert.deepEqual([one.refused, other.refused, total.now], [0, 1, 60]);
  one.forget();
  other.add(kept, 30);
  assert.deepEqual([other.all().length, other.refused, total.now], [1, 1, 60]);
});

test("a thread is told of a session once, of each run's sessions, and of the end", () => {
  const sent: unknown[] = [];
  const outbox = new Outbox<FrameToThread>((frames) => sent.push(...frames));
  const here = {};
  const holders = new Set<SentSessions>();
  const session = { number: 7, set, words: new SharedArrayBuffer(20), mostRecorded: 5, pool: here, holders };
  const sessions = new SentSessions(here, outbox);
  const mocks = [session] as unknown as Parameters<SentSessions["precede"]>[0];
  sessions.precede(mocks);
  sessions.precede(mocks);
  assert.ok(holders.has(sessions));
  sessions.disarm(7);
  sessions.disarm(7);
  outbox.flush();
  const task = { set, words: session.words, mostRecorded: 5, own: true };
  assert.deepEqual(sent, [ToThread.arm, 7, task, ToThread.test, [7], ToThread.test, [7], ToThread.disarm, 7]);
  sessions.precede(mocks);
  sessions.end();
  assert.equal(holders.size, 0);
});
