/** What readers of a running app's event streams get: bodies, filters, replays, and what they missed */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberedLogEvent } from "../../src/control/streams/log-hub.ts";
import type { TraceEvent } from "../../src/shared/trace-event.ts";
import { answering, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";
import { eventsOf, upTo, watch } from "../support/watch-stream.ts";

const steps = webhook("r", 'setHeader: { name: h, constant: "1" }', 'log: "a line"', 'setBody: { constant: "x" }');

async function runIdOf(call: Promise<Response>): Promise<string> {
  const answer = await call;
  await answer.arrayBuffer();
  return answer.headers.get("x-run-id") ?? "";
}

test("previews of messages come only to the readers that ask for them, as long as each asked", async (t) => {
  const app = await startTestApp(t, { limits: { previewBytes: 300 } });
  await app.put("f", webhook("r", 'setBody: { id: s, simple: "out ${body}" }'));
  const plain = await watch(t, app, "/trace/stream");
  const sent = "x".repeat(1000);
  const ended = ({ type }: TraceEvent): boolean => type === "run.completed";

  await runIdOf(app.post("/api/r", sent));
  const alone = await upTo(plain, "trace", ended);
  assert.ok(alone.every((event) => !("in" in event) && !("out" in event)));

  const cut = await watch(t, app, "/trace/stream?body=preview");
  const whole = await watch(t, app, "/trace/stream?body=full");
  const runId = await runIdOf(app.post("/api/r", sent, { "X-Own": "mine" }));
  const [none, some, all] = await Promise.all(
    [plain, cut, whole].map(async (reader) => {
      await upTo<TraceEvent>(reader, "trace", (event) => ended(event) && event.runId === runId);
      return eventsOf<TraceEvent>(reader, "trace").filter((event) => event.runId === runId);
    }),
  );
  const typesOf = (events: readonly TraceEvent[] = []): string[] => events.map(({ type }) => type);
  assert.deepEqual(typesOf(none), ["run.started", "step.started", "step.completed", "run.completed"]);
  assert.deepEqual(typesOf(some), typesOf(none));
  assert.deepEqual(typesOf(all), typesOf(none));
  assert.ok(none?.every((event) => !("in" in event) && !("out" in event)));
  assert.equal(all?.[1]?.in?.body, sent);
  assert.equal(all?.[1]?.in?.headers["X-Own"], "mine");
  assert.equal(all?.[2]?.out?.body, `out ${sent}`);
  assert.equal(all?.[2]?.out?.bodyType, "String");
  assert.match(some?.[1]?.in?.body ?? "", /^x{50,297}(?:\.\.\.|…)$/);
  assert.match(some?.[2]?.out?.body ?? "", /^out x{50,297}(?:\.\.\.|…)$/);
});

test("filters choose events by flow, route and kind", async (t) => {
  const app = await startTestApp(t);
  await app.put("one", `${answering("a", "x")}${answering("b", "x")}`);
  await app.put("two", answering("c", "x"));
  const open = (query: string) => watch(t, app, `/trace/stream?${query}`);
  const everything = await open("type=run.*");
  const byFlow = await open("flowId=one&type=run.started");
  const byRoute = await open("routeId=a&routeId=c&type=run.completed");
  const byPattern = await open("flowId=t*&type=step.*");
  for (const route of ["a", "b", "c"]) await runIdOf(app.post(`/api/${route}`));
  await upTo<TraceEvent>(everything, "trace", ({ type, routeId }) => type === "run.completed" && routeId === "c");
  for (const reader of [byRoute, byPattern])
    await upTo<TraceEvent>(reader, "trace", ({ type, routeId }) => /completed$/.test(type) && routeId === "c");
  const seen = (reader: typeof byFlow): string[] =>
    eventsOf<TraceEvent>(reader, "trace").map(({ type, routeId }) => `${routeId} ${type}`);
  assert.equal(eventsOf(everything, "trace").length, 6);
  assert.deepEqual(seen(byFlow), ["a run.started", "b run.started"]);
  assert.deepEqual(seen(byRoute), ["a run.completed", "c run.completed"]);
  assert.deepEqual(seen(byPattern), ["c step.started", "c step.completed"]);
});

test("a log stream with a least level leaves the others out", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "quiet"', 'log: { message: "loud", loggingLevel: ERROR }'));
  const reader = await watch(t, app, "/logs/stream?level=warn");
  await runIdOf(app.post("/api/r"));
  const lines = await upTo<NumberedLogEvent>(reader, "log", ({ message }) => message === "loud");
  assert.deepEqual(
    lines.map(({ message }) => message),
    ["loud"],
  );
});

for (const [path, name, query] of [
  ["/trace/stream", "trace", "?type=run.completed"],
  ["/logs/stream", "log", "?routeId=r"],
] as const) {
  test(`a reader of the ${name} stream that reconnects with Last-Event-ID misses nothing while runs go on`, async (t) => {
    const app = await startTestApp(t);
    await app.put("f", webhook("r", 'log: "one run"'));
    const runs: string[] = [];
    const call = async (): Promise<void> => void runs.push(await runIdOf(app.post("/api/r")));
    const first = await watch(t, app, `${path}${query}`);
    const before = Promise.all(Array.from({ length: 10 }, call));
    await first.until(() => eventsOf(first, name).length >= 3);
    first.drop();
    await before;
    await call();
    const seen = eventsOf<{ runId: string }>(first, name).map(({ runId }) => runId);
    const during = Promise.all(Array.from({ length: 10 }, call));
    const second = await watch(t, app, `${path}${query}`, first.received.at(-1)?.id);
    await during;
    await second.until(() => eventsOf(second, name).length >= runs.length - seen.length);
    seen.push(...eventsOf<{ runId: string }>(second, name).map(({ runId }) => runId));
    assert.deepEqual(second.gaps, []);
    assert.deepEqual(seen.toSorted(), runs.toSorted());
  });
}

test("replay begins a log stream with its last lines", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", webhook("r", 'log: "line ${body}"'));
  for (const n of [1, 2, 3, 4]) await runIdOf(app.post("/api/r", `${n}`));
  const reader = await watch(t, app, "/logs/stream?routeId=r&replay=2");
  await runIdOf(app.post("/api/r", "5"));
  const lines = await upTo<NumberedLogEvent>(reader, "log", ({ message }) => message === "line 5");
  assert.deepEqual(
    lines.map(({ message }) => message),
    ["line 3", "line 4", "line 5"],
  );
});

test("while nobody watches, threads make no trace events, and none can be replayed", async (t) => {
  // One credit: a thread that traces more than one step per turn has to drop, and says how many it dropped.
  const app = await startTestApp(t, { limits: { eventCredits: 1 } });
  const dropped = async (): Promise<number> => {
    const metrics = await (await app.api("/metrics")).text();
    return Number(
      /^bulkhead_events_dropped_total\{stream="trace",reason="producer_overrun"\} (\d+)$/m.exec(metrics)?.[1],
    );
  };
  await app.put("f", steps);
  for (let i = 0; i < 3; i++) await runIdOf(app.post("/api/r", "x"));
  const reader = await watch(t, app, "/trace/stream?replay=1000");
  assert.deepEqual(reader.received[0]?.data, {
    stream: "trace",
    epoch: (reader.received[0]?.data as { epoch: string }).epoch,
    seq: 0,
  });
  assert.equal(await dropped(), 0);
  const runId = await runIdOf(app.post("/api/r", "x"));
  const [first] = await upTo<TraceEvent>(reader, "trace", ({ type }) => type === "run.completed");
  assert.deepEqual([first?.type, first?.runId], ["run.started", runId]);
  await runIdOf(app.post("/api/r", "x"));
  assert.ok((await dropped()) > 0);
});
