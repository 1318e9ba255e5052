/** A recorded run as the body of a test session: which calls it mocks, how, and what it says of what it cannot know. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fixture } from "../../../src/control/runs/fixture/fixture-document.ts";
import { runFixture } from "../../../src/control/runs/fixture/run-fixture.ts";
import { type RunOwner, RunRecord, type RunTrigger } from "../../../src/control/runs/run-record.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { RecordedMessage, StepRecord } from "../../../src/shared/mock.ts";
import { anOwner } from "./a-run.ts";

const webhook: RunTrigger = { kind: "webhook", uri: "webhook" };

function ownerWith(trigger: RunOwner["manifest"]["routes"][number]["trigger"]): RunOwner {
  const owner = anOwner("f");
  const routes = [{ id: "r", uri: "x", trigger, autoStartup: true }];
  return { ...owner, manifest: { ...owner.manifest, routes } };
}

const direct = ownerWith({ kind: "direct", name: "start", shared: false });

function message(body: unknown, more: Partial<RecordedMessage> = {}): RecordedMessage {
  return { headers: {}, body, bodyType: "String", ...more };
}

interface Call {
  readonly body: unknown;
  readonly answer?: unknown;
  readonly error?: StepRecord["error"];
  readonly start: number;
  readonly duration?: number;
}

/** A run that has called the step `to-crm`. */
function aRecord(
  calls: readonly Call[],
  whole: Partial<StepRecord> = {},
  owner = direct,
  trigger = webhook,
): RunRecord {
  const record = new RunRecord(owner, "r", trigger, "run-1", "0".repeat(32), null);
  record.status = "completed";
  record.timings = calls.flatMap(({ start, duration = 1 }) => [2, start, duration]);
  record.steps = [
    { timing: -1, in: message("first"), out: message("last"), ...whole },
    ...calls.map(
      ({ body, answer, error }, timing): StepRecord => ({
        timing,
        outbound: true,
        in: message(body),
        ...(error === undefined ? { out: message(answer) } : { error }),
      }),
    ),
  ];
  return record;
}

function fixtureOf(record: RunRecord, announced: readonly RunRecord[] = []): Fixture {
  return runFixture(record, announced, defaultLimits);
}

test("calls one after the other become a sequence that never lets the real step run", () => {
  const error = { type: "java.io.IOException", message: "gone" };
  const { mocks, assertions, invoke, replaceFrom } = fixtureOf(
    aRecord([
      { body: "a", error, start: 0 },
      { body: "a", answer: "b", start: 5 },
    ]),
  );
  const sequence = [{ throw: error }, { respond: { body: "b", headers: {} } }];
  assert.deepEqual(mocks, [{ stepId: "to-crm", sequence, after: "fail" }]);
  assert.deepEqual(assertions, [
    { mockCalled: { stepId: "to-crm", times: 2, with: { body: "a" } } },
    { result: { status: "completed", body: "last" } },
  ]);
  assert.deepEqual(invoke, { endpoint: "direct:start", body: "first", headers: {} });
  assert.equal(replaceFrom, undefined);
});

test("calls that overlap are told apart by their bodies, and another body is refused", () => {
  const { mocks, assertions } = fixtureOf(
    aRecord([
      { body: { id: 1 }, answer: "one", start: 0, duration: 10 },
      { body: { $ne: 2 }, answer: "two", start: 5, duration: 10 },
    ]),
  );
  assert.equal(mocks.length, 3);
  assert.deepEqual(mocks[0], {
    stepId: "to-crm",
    when: { body: { id: 1 } },
    times: 1,
    respond: { body: "one", headers: {} },
  });
  assert.partialDeepStrictEqual(mocks[1], { when: { body: { $eq: { $ne: 2 } } } });
  assert.partialDeepStrictEqual(mocks[2], { throw: { type: "java.lang.IllegalStateException" } });
  assert.deepEqual(assertions[0], { mockCalled: { stepId: "to-crm", times: 2 } });
});

test("an answer says what it has changed: nothing, headers, bytes, JSON as it was written", () => {
  const answers: readonly [out: RecordedMessage, respond: object][] = [
    [message("x", { headers: { a: "1" } }), { headers: {} }],
    [message("x", { headers: { A: 2, b: "n" } }), { headers: { A: 2, b: "n" } }],
    [message("x"), { headers: { a: null } }],
    [
      message("eA==", { headers: { a: "1" }, encoding: "base64", bodyType: "byte[]" }),
      { bodyBase64: "eA==", headers: {} },
    ],
    [
      message({ a: 1 }, { headers: { a: "1", "Content-Type": "application/json" }, text: '{"a": 1}' }),
      { body: '{"a": 1}', headers: { "Content-Type": "application/json" } },
    ],
    [message({ a: 1 }, { headers: { a: "1" } }), { body: { a: 1 }, headers: {} }],
  ];
  for (const [out, respond] of answers) {
    const record = aRecord([{ body: "x", answer: "x", start: 0 }]);
    const step = { timing: 0, outbound: true, in: message("x", { headers: { a: "1" } }), out } as const;
    record.steps = [...record.steps.slice(0, 1), step];
    assert.deepEqual(fixtureOf(record).mocks, [{ stepId: "to-crm", respond }]);
  }
});

test("a route of another trigger is begun by an endpoint that the flow does not have", () => {
  const owner = ownerWith({ kind: "webhook" });
  const taken = { ...owner, manifest: { ...owner.manifest, externalDirects: ["replay-r"] } };
  const headers = { Host: "h", "content-length": "3", CamelHttpMethod: "POST", Authorization: "***" };
  const { replaceFrom, invoke, notes } = fixtureOf(
    aRecord([], { in: message("aGk=", { headers, encoding: "base64" }) }, taken),
  );
  assert.deepEqual(replaceFrom, { r: "direct:replay-r-2" });
  assert.deepEqual(invoke, {
    endpoint: "direct:replay-r-2",
    bodyBase64: "aGk=",
    headers: { CamelHttpMethod: "POST" },
  });
  assert.match(notes.join("\n"), /'Authorization' of the first message is hidden/);
});

test("what is cut, hidden, left out or may change is told, and not asserted as it stands", () => {
  const cut = aRecord([{ body: "a", answer: "b", start: 0 }], { out: message("xyz", { cut: true }), omitted: true });
  cut.steps = cut.steps.map((step) => (step.timing === 0 ? { ...step, in: message("***", { redacted: true }) } : step));
  const { assertions, notes } = fixtureOf(cut);
  assert.deepEqual(assertions, [{ mockCalled: { stepId: "to-crm", times: 1 } }, { result: { status: "completed" } }]);
  assert.match(notes.join("\n"), /runRecordBytes[\s\S]*last message was longer/);

  const id = "0b5f1c1e-6a43-4a4f-9d2b-0d6a1f0d9a11";
  const made = aRecord([{ body: `order ${id}`, answer: "b", start: 0 }]);
  assert.match(fixtureOf(made).notes.join("\n"), new RegExp(`to-crm.*'${id}'.*loosen`));
  const given = aRecord([{ body: `order ${id}`, answer: "b", start: 0 }], { in: message(id) });
  assert.deepEqual(fixtureOf(given).notes, []);
});

test("a failed run's failure is asserted; one that was stopped from outside has no end to assert", () => {
  const failed = aRecord([]);
  failed.status = "failed";
  failed.error = { type: "a.B", message: "m", stepId: "s", line: 1 };
  assert.deepEqual(fixtureOf(failed).assertions, [
    { result: { status: "failed", error: { type: "a.B", stepId: "s" } } },
  ]);
  const late = aRecord([]);
  late.status = "timeout";
  assert.deepEqual(fixtureOf(late).assertions, []);
  assert.match(fixtureOf(late).notes.join(), /ended as timeout/);
});

test("calls of runs that it began belong to it, but not those of taps, which never begin", () => {
  const child = (kind: "source" | "wireTap", body: string): RunRecord => {
    const inner = aRecord([{ body, answer: "b", start: 0 }]);
    const made = new RunRecord(direct, "r", { kind, uri: kind }, `child-${kind}`, "0".repeat(32), "run-1");
    return Object.assign(made, { steps: inner.steps, timings: inner.timings, status: "completed" });
  };
  const { assertions } = fixtureOf(aRecord([]), [child("source", "queued"), child("wireTap", "tapped")]);
  assert.deepEqual(assertions[0], { mockCalled: { stepId: "to-crm", times: 1, with: { body: "queued" } } });
  assert.equal(assertions.length, 2);
});

test("409 for a run without a record: it says why and what to do", () => {
  const refusals: readonly [change: (record: RunRecord) => void, why: RegExp][] = [
    [(record) => Object.assign(record, { steps: [] }), /"record": "all".*X-Test-Session/],
    [(record) => Object.assign(record, { steps: [], status: "killed" }), /went with it/],
    [(record) => Object.assign(record, { steps: [], stepsDropped: true }), /made room/],
    [(record) => Object.assign(record, { status: "running" }), /still under way/],
    [(record) => Object.assign(record, { steps: [{ timing: -1 }] }), /runRecordBytes/],
    [(record) => Object.assign(record, { trigger: { kind: "wireTap", uri: "log:a" } }), /middle of a route/],
  ];
  for (const [change, message] of refusals) {
    const record = aRecord([]);
    change(record);
    assert.throws(() => fixtureOf(record), { code: "run_not_recorded", message });
  }
});

test("a time or an id that was not there before is told of, also when a server echoes it", () => {
  const time = "2026-11-22T05:10:45.137Z";
  const told = ({ notes }: Fixture) => notes.filter((note) => note.includes(`('${time}')`)).length;
  const echo = { body: `at ${time}`, answer: `got ${time}`, start: 0 };
  assert.equal(told(fixtureOf(aRecord([echo]))), 1);
  const answered = [
    { body: "what time is it?", answer: time, start: 0 },
    { body: time, answer: "thanks", start: 2 },
  ];
  assert.equal(told(fixtureOf(aRecord(answered, { out: message(time) }))), 0);
});

test("what an HTTP server failed with is thrown again, and told of where it is not whole", () => {
  const answer = { statusCode: 422, responseBody: "why", responseHeaders: { a: "b" } };
  const failure = { type: "org.apache.camel.http.base.HttpOperationFailedException", message: "no", ...answer };
  const whole = fixtureOf(aRecord([{ body: "x", error: failure, start: 0 }]));
  assert.deepEqual([whole.mocks, whole.notes], [[{ stepId: "to-crm", throw: failure }], []]);
  for (const [part, note] of [
    [{ cut: true }, /what step 'to-crm' failed with was longer/],
    [{ redacted: true }, /what step 'to-crm' failed with had secrets/],
  ] as const) {
    const { mocks, notes } = fixtureOf(aRecord([{ body: "x", error: { ...failure, ...part }, start: 0 }]));
    assert.deepEqual(mocks, whole.mocks);
    assert.match(notes.join("\n"), note);
  }
});

test("a step that goes by earlier runs is told of", () => {
  const step = { id: "turns", type: "loadBalance", routeId: "r", at: direct.manifest.steps[2]?.at };
  const steps = direct.manifest.steps.with(2, {
    ...direct.manifest.steps[2],
    ...step,
  } as (typeof direct.manifest.steps)[0]);
  const { notes } = fixtureOf(
    aRecord([{ body: "x", answer: "y", start: 0 }], {}, { ...direct, manifest: { ...direct.manifest, steps } }),
  );
  assert.match(notes.join("\n"), /step 'turns' \(loadBalance\) does goes by earlier runs/);
});
