/** What readers of a whole runtime's streams are told of events that they do not get. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NumberedLogEvent } from "../../src/control/streams/log-hub.ts";
import type { TraceEvent } from "../../src/shared/trace-event.ts";
import { eventually } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { eventsOf, upTo, watch } from "../support/watch-stream.ts";
import type { Reader } from "./streams/stream-client.ts";

const steps = 20;
const talkative = webhook("r", ...Array.from({ length: steps }, (_, i) => `log: "line ${i}"`));

/** A loss that is not told would be waited for for ever. */
const within = { timeout: 60_000 };

const lost = (reader: Reader): number => reader.gaps.reduce((sum, { count }) => sum + count, 0);

async function droppedOf(app: TestApp, stream: string, reason: string): Promise<number> {
  const text = await (await app.api("/metrics")).text();
  const line = `bulkhead_events_dropped_total{stream="${stream}",reason="${reason}"} `;
  return Number(text.slice(text.indexOf(line) + line.length).split("\n")[0]);
}

test(
  "events that found no credit are told to the readers of their flow: received + dropped = made",
  within,
  async (t) => {
    const app = await startTestApp(t, { limits: { eventCredits: 5 } });
    await app.put("f", talkative);
    const traces = await watch(t, app, "/trace/stream?flowId=f");
    const logs = await watch(t, app, "/logs/stream?routeId=r");
    const others = await watch(t, app, "/logs/stream?flowId=another");
    const runs = 12;
    await Promise.all(Array.from({ length: runs }, async () => (await app.post("/api/r")).arrayBuffer()));
    const lines = (): number => eventsOf<NumberedLogEvent>(logs, "log").length;
    const ofSteps = (): number => eventsOf<TraceEvent>(traces, "trace").filter(({ stepId }) => stepId).length;
    await logs.until(() => lines() + lost(logs) >= runs * steps);
    const ends = (): number =>
      eventsOf<TraceEvent>(traces, "trace").filter(({ stepId }) => stepId === undefined).length;
    await traces.until(() => ofSteps() + lost(traces) >= runs * steps * 2 && ends() >= runs * 2);

    assert.equal(lines() + lost(logs), runs * steps);
    assert.equal(ofSteps() + lost(traces), runs * steps * 2);
    assert.equal(ends(), runs * 2);
    for (const reader of [logs, traces]) {
      assert.ok(reader.gaps.length > 0);
      for (const gap of reader.gaps as readonly object[]) {
        const { from, to, count: _, ...rest } = gap as Reader["gaps"][number];
        assert.equal(from, to);
        assert.deepEqual(rest, { reason: "producer_overrun", flowId: "f" });
      }
    }
    assert.equal(await droppedOf(app, "log", "producer_overrun"), lost(logs));
    assert.equal(await droppedOf(app, "trace", "producer_overrun"), lost(traces));
    const warned = app.logs.filter(({ message }) => /^\d+ log lines were lost: the flow logs faster/.test(message));
    assert.equal(
      warned.reduce((sum, { message }) => sum + Number.parseInt(message, 10), 0),
      lost(logs),
    );
    assert.deepEqual(others.gaps, []);
  },
);

test("what a thread that was killed had on its way is told, too", within, async (t) => {
  const threadEntry = new URL("streams/logging-thread.ts", import.meta.url);
  const limits = { webhookWallMs: 2000, cancelGraceMs: 100, eventCredits: 100 };
  const app = await startTestApp(t, { threadEntry, limits });
  await app.put("f", webhook("r", 'setBody: { constant: "x" }'));
  const logs = await watch(t, app, "/logs/stream?flowId=f");
  const made = 5000;
  assert.equal((await app.post("/api/r", `${made}`)).status, 504);
  const lines = (): number =>
    eventsOf<NumberedLogEvent>(logs, "log").filter(({ logger }) => logger === "thread").length;
  await logs.until(() => lines() + lost(logs) >= made);
  assert.equal(lines() + lost(logs), made);
  assert.ok(logs.gaps.some(({ reason }) => reason === "thread_ended"));
  const untold = lost(logs) - (await droppedOf(app, "log", "producer_overrun"));
  assert.equal(await droppedOf(app, "log", "thread_ended"), untold);
});

test(
  "a trace reader comes while a run is under way, goes, comes back, and has every step from its coming on",
  within,
  async (t) => {
    const app = await startTestApp(t);
    await app.put("f", webhook("r", 'log: { id: first, message: "began" }', "delay: { id: waits, constant: 600000 }"));
    const answer = app.post("/api/r");
    const { runId } = await eventually(
      () => app.logs.find(({ message }) => message === "began"),
      "the run is under way",
    );
    const first = await watch(t, app, "/trace/stream?flowId=f");
    const { epoch, seq } = first.received[0]?.data as { epoch: string; seq: number };
    first.drop();
    await eventually(
      async () =>
        (await (await app.api("/metrics")).text()).includes('bulkhead_stream_subscribers{stream="trace"} 0\n'),
      "the reader has left",
    );
    assert.equal((await app.api(`/runs/${runId}/cancel`, { method: "POST" })).ok, true);
    await (await answer).arrayBuffer();
    const second = await watch(t, app, `/trace/stream?flowId=f&lastEventId=${epoch}-${seq}`);
    const events = await upTo<TraceEvent>(second, "trace", ({ type }) => type.startsWith("run."));
    assert.deepEqual(
      events.map(({ type, stepId, runId: of }) => [type, stepId, of]),
      [
        ["step.failed", "waits", runId],
        ["run.failed", undefined, runId],
      ],
    );
    assert.deepEqual(second.gaps, []);
  },
);

test("ids that cannot be resumed from: the gap is told with its size, by header as by parameter", within, async (t) => {
  const app = await startTestApp(t, { limits: { streamRing: 8 } });
  const { epoch } = (await watch(t, app, "/logs/stream")).received[0]?.data as { epoch: string };
  await app.put("f", webhook("r", ...Array.from({ length: 12 }, () => 'log: "x"')));
  await (await app.post("/api/r")).arrayBuffer();
  const { seq } = (await watch(t, app, "/logs/stream")).received[0]?.data as { seq: number };
  assert.ok(seq > 12);
  const begins = async (query: string, header?: string): Promise<unknown> => {
    const reader = await watch(t, app, `/logs/stream${query}`, header);
    if (query.includes("replay")) await reader.until(() => reader.seqs.length === 3);
    else if (header !== `${epoch}-${seq}`) await reader.next();
    const last = { seqs: reader.seqs, gaps: reader.gaps };
    reader.drop();
    return last;
  };
  const gap = (from: number, to: number) => ({ from, to, count: to - from + 1, reason: "resume_gap" });
  const whole = { seqs: [], gaps: [gap(1, seq)] };
  assert.deepEqual(await begins("", "00000000-5"), whole);
  assert.deepEqual(await begins("", `${epoch}-${seq + 5}`), whole);
  assert.deepEqual(await begins("", "what a proxy made of it"), whole);
  assert.deepEqual(await begins("", `${epoch}-2`), { seqs: [], gaps: [gap(3, seq)] });
  assert.deepEqual(await begins(`?lastEventId=${epoch}-2`), { seqs: [], gaps: [gap(3, seq)] });
  assert.deepEqual(await begins(`?lastEventId=${epoch}-2&replay=3`), {
    seqs: [seq - 2, seq - 1, seq],
    gaps: [gap(3, seq - 3)],
  });
  assert.deepEqual(await begins("?replay=3", `${epoch}-${seq - 3}`), { seqs: [seq - 2, seq - 1, seq], gaps: [] });
  assert.deepEqual(await begins("", `${epoch}-${seq}`), { seqs: [], gaps: [] });
  for (const query of ["lastEventId=nonsense", "lastEventId=", "replay=-1", "replay=many", "replay=1&replay=2"]) {
    const refused = await app.api(`/logs/stream?${query}`);
    assert.equal(refused.status, 400, query);
    assert.match(((await refused.json()) as { error: string }).error, /lastEventId|replay/);
  }
});

test("readers beyond the limit get 429 until one leaves, those without the token 401", within, async (t) => {
  const app = await startTestApp(t, { limits: { streamSubscribers: 2 } });
  for (const path of ["/trace/stream", "/logs/stream"] as const) {
    const [first, second] = [await watch(t, app, path), await watch(t, app, path)];
    const full = await app.api(path);
    assert.deepEqual([full.status, full.headers.get("retry-after")], [429, "5"]);
    assert.match(((await full.json()) as { error: string }).error, /has its 2 subscribers/);
    for (const headers of [{}, { Authorization: "Bearer another" }] as Record<string, string>[]) {
      const answer = await fetch(`${app.url}/_api${path}`, { headers });
      assert.equal(answer.status, 401);
    }
    first.drop();
    const third = await eventually(() => watch(t, app, path).catch(() => undefined), "there is room again");
    assert.ok(second.ended === false && third.ended === false);
  }
});

test("at shutdown every reader gets what is left, then an end", within, async (t) => {
  const app = await startTestApp(t);
  const readers = [await watch(t, app, "/trace/stream"), await watch(t, app, "/logs/stream")];
  await app.put("f", webhook("r", `log: "x"`));
  await Promise.all([app.close(), ...readers.map((reader) => reader.whole())]);
  for (const reader of readers) {
    assert.equal(reader.received.at(-1)?.event, "end");
    assert.equal(reader.res.complete, true);
    assert.deepEqual(reader.gaps, []);
  }
  assert.ok(eventsOf<TraceEvent>(readers[0] as Reader, "trace").some(({ type }) => type === "deploy.completed"));
});

test(
  "a reader that has stalled delays no run and no other reader, and is told how many events it lost",
  within,
  async (t) => {
    const app = await startTestApp(t);
    await app.put("f", webhook("r", ...Array.from({ length: 4 }, (_, i) => `setHeader: { name: h${i}, constant: x }`)));
    const healthy = await watch(t, app, "/trace/stream?type=run.completed");
    const stalled = await watch(t, app, "/trace/stream?body=full");
    stalled.res.pause();
    const body = "x".repeat(12_000);
    let runs = 0;
    await eventually(
      async () => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => app.post("/api/r", body)));
        runs += answers.length;
        for (const answer of answers) assert.equal(await answer.text(), "ok");
        return (await droppedOf(app, "trace", "slow_consumer")) > 100;
      },
      "more than the kernel holds",
      60_000,
    );
    await healthy.until(() => eventsOf(healthy, "trace").length === runs);
    assert.deepEqual(healthy.gaps, []);
    const { seq } = (await watch(t, app, "/trace/stream")).received[0]?.data as { seq: number };
    stalled.res.resume();
    await stalled.until(() => stalled.seqs.length + lost(stalled) >= seq);
    assert.equal(stalled.seqs.length + lost(stalled), seq);
    const ofRuns = eventsOf<TraceEvent>(stalled, "trace").filter(({ stepId }) => stepId === undefined).length;
    assert.equal(ofRuns, runs * 2);
  },
);
