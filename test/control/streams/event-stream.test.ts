/** Server-sent events over real HTTP: the protocol, resuming, slow and stalled readers, limits. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, test } from "node:test";
import { EventStream, type StreamTraits } from "../../../src/control/streams/event-stream.ts";
import type { Limits } from "../../../src/shared/limits.ts";
import type { TraceEvent } from "../../../src/shared/trace-event.ts";
import { every, onNextTurn, turn } from "../../support/clock.ts";
import { limitsWith, StreamServer } from "./stream-client.ts";

const servers: StreamServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(limits: Partial<Limits> = {}, traits: StreamTraits<TraceEvent> = {}) {
  const stream = new EventStream<TraceEvent>("trace", limitsWith(limits), traits);
  const server = new StreamServer(stream);
  servers.push(server);
  await server.listen();
  return { stream, server };
}

function anEvent(n: number, more: Partial<TraceEvent> = {}): TraceEvent {
  return {
    type: "step.completed",
    ts: "2026-01-01T00:00:00.000Z",
    flowId: "f",
    runId: `run-${n}`,
    stepId: "s",
    ...more,
  };
}

test("a subscriber gets the head, retry, ready, and then events with ids", async () => {
  const { stream, server } = await serve();
  stream.publish(anEvent(1));
  const reader = await server.open();
  const ready = await reader.next();
  stream.publish(anEvent(2));
  const event = await reader.next();

  assert.equal(reader.res.statusCode, 200);
  assert.equal(reader.res.headers["content-type"], "text/event-stream");
  assert.equal(reader.res.headers["cache-control"], "no-store");
  assert.equal(reader.res.headers["x-content-type-options"], "nosniff");
  assert.equal(reader.retry, 2000);
  const { epoch } = ready.data as { epoch: string };
  assert.match(epoch, /^[0-9a-z]+$/);
  assert.deepEqual(ready, { event: "ready", id: undefined, data: { stream: "trace", epoch, seq: 1 } });
  assert.deepEqual(event, { event: "trace", id: `${epoch}-2`, data: anEvent(2) });
  assert.equal(
    reader.text,
    `retry: 2000\n\nevent: ready\ndata: {"stream":"trace","epoch":"${epoch}","seq":1}\n\n` +
      `id: ${epoch}-2\nevent: trace\ndata: ${JSON.stringify(anEvent(2))}\n\n`,
  );
});

test("headers that were set before are sent with the stream", async () => {
  const stream = new EventStream<TraceEvent>("trace", limitsWith({}));
  const server = new StreamServer({
    subscribe(req, res, query) {
      stream.subscribe(req, res, query);
      res.setHeader("X-Request-Id", "r1");
    },
  });
  servers.push(server);
  await server.listen();
  const reader = await server.open();
  assert.equal(reader.res.headers["x-request-id"], "r1");
});

test("an event that comes in the same turn as the subscription is not lost", async () => {
  const stream = new EventStream<TraceEvent>("trace", limitsWith({}));
  const server = new StreamServer({
    subscribe(req, res, query) {
      stream.subscribe(req, res, query);
      stream.publish(anEvent(1));
    },
  });
  servers.push(server);
  await server.listen();
  const reader = await server.open();
  await reader.until(() => reader.received.length === 2);
  assert.deepEqual(reader.seqs, [1]);
});

test("a reader that reconnects with its last id misses nothing and gets nothing twice", async () => {
  const { stream, server } = await serve();
  let random = 42;
  const upTo = (n: number) => {
    random = (Math.imul(random, 1103515245) + 12345) >>> 0;
    return random % n;
  };
  let published = 0;
  const burst = () => {
    for (let left = upTo(120); left > 0; left -= 1) stream.publish(anEvent((published += 1)));
  };
  const seen: string[] = [];
  let lastId: string | undefined;
  burst();
  let reader = await server.open();
  await reader.next();
  const first = published + 1;
  for (let i = 0; i < 20; i += 1) {
    burst();
    const enough = upTo(published - first + 2);
    await reader.until(() => seen.length + reader.seqs.length >= Math.min(enough, published - first + 1));
    reader.drop();
    for (const { id, data } of reader.received) {
      if (id === undefined) continue;
      lastId = id;
      seen.push((data as TraceEvent).runId ?? "");
    }
    burst();
    reader =
      lastId === undefined
        ? await server.open(`?replay=${published - first + 1}`)
        : i % 2 === 0
          ? await server.open("", { "Last-Event-ID": lastId })
          : await server.open(`?lastEventId=${lastId}`);
  }
  const total = published - first + 1;
  await reader.until(() => seen.length + reader.seqs.length >= total);
  seen.push(...reader.seqs.map((seq) => `run-${seq}`));
  assert.deepEqual(
    seen,
    Array.from({ length: total }, (_, i) => `run-${first + i}`),
  );
  assert.deepEqual(reader.gaps, []);
});

test("the header goes before the query, as a browser's reconnection has both", async () => {
  const { stream, server } = await serve();
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  for (let n = 1; n <= 5; n += 1) stream.publish(anEvent(n));
  const reader = await server.open(`?lastEventId=${epoch}-1&replay=5`, { "Last-Event-ID": `${epoch}-3` });
  await reader.until(() => reader.seqs.length === 2);
  assert.deepEqual(reader.seqs, [4, 5]);
});

test("an id older than the ring: the gap is told, then live", async () => {
  const { stream, server } = await serve({ streamRing: 10 });
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  for (let n = 1; n <= 30; n += 1) stream.publish(anEvent(n));
  const reader = await server.open("", { "Last-Event-ID": `${epoch}-4` });
  const [ready, gap] = await reader.take(2);
  stream.publish(anEvent(31));
  const live = await reader.next();
  assert.equal(ready?.event, "ready");
  assert.deepEqual(gap, {
    event: "dropped",
    id: undefined,
    data: { from: 5, to: 30, count: 26, reason: "resume_gap" },
  });
  assert.equal(live.id, `${epoch}-31`);
});

test("the oldest id that can be resumed from is the one before the ring's first", async () => {
  const { stream, server } = await serve({ streamRing: 10 });
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  for (let n = 1; n <= 30; n += 1) stream.publish(anEvent(n));
  const reader = await server.open("", { "Last-Event-ID": `${epoch}-20` });
  await reader.until(() => reader.seqs.length === 10);
  assert.deepEqual(reader.seqs, [21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  assert.deepEqual(reader.gaps, []);
});

for (const foreign of ["00000000-3", "nonsense", "-", "99"]) {
  test(`an id of another epoch ('${foreign}'): the gap is all that this epoch had, less what is replayed`, async () => {
    const { stream, server } = await serve();
    for (let n = 1; n <= 9; n += 1) stream.publish(anEvent(n));
    const reader = await server.open("?replay=2", { "Last-Event-ID": foreign });
    await reader.until(() => reader.seqs.length === 2);
    assert.deepEqual(reader.gaps, [{ from: 1, to: 7, count: 7, reason: "resume_gap" }]);
    assert.deepEqual(reader.seqs, [8, 9]);
  });
}

test("an id that this epoch has not given yet is not believed", async () => {
  const { stream, server } = await serve();
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  stream.publish(anEvent(1));
  const reader = await server.open("", { "Last-Event-ID": `${epoch}-77` });
  await reader.take(2);
  assert.deepEqual(reader.gaps, [{ from: 1, to: 1, count: 1, reason: "resume_gap" }]);
});

test("a replay larger than what a queue may hold arrives whole", async () => {
  const { stream, server } = await serve({ streamBufferBytes: 10_000 });
  for (let n = 1; n <= 1000; n += 1) stream.publish(anEvent(n, { message: "x".repeat(500) }));
  const reader = await server.open("?replay=1000");
  await reader.until(() => reader.seqs.length === 1000);
  assert.deepEqual(reader.gaps, []);
});

test("replay counts matching events", async () => {
  const { stream, server } = await serve();
  for (let n = 1; n <= 20; n += 1) stream.publish(anEvent(n, { flowId: n % 5 === 0 ? "five" : "other" }));
  const reader = await server.open("?replay=2&flowId=five");
  await reader.until(() => reader.seqs.length === 2);
  assert.deepEqual(reader.seqs, [15, 20]);
});

test("a slow reader is told exactly how many events it lost, run events go last, publishers never wait", async () => {
  const { stream, server } = await serve(
    { streamBufferBytes: 64 * 1024 },
    { kept: ({ stepId }) => stepId === undefined },
  );
  const reader = await server.open();
  await reader.next();
  reader.res.pause();
  const count = 6000;
  const runs: number[] = [];
  for (let n = 1; n <= count; n += 1) {
    const run = n % 100 === 0;
    if (run) runs.push(n);
    stream.publish(
      run
        ? { type: "run.completed", ts: "", flowId: "f", runId: `run-${n}` }
        : anEvent(n, { message: "x".repeat(4000) }),
    );
    // Let the sockets work, as they would between the batches of a thread.
    if (n % 50 === 0) await turn();
  }
  assert.ok(stream.dropped > 0);
  reader.res.resume();
  const accounted = () => reader.seqs.length + reader.gaps.reduce((sum, gap) => sum + gap.count, 0);
  await reader.until(() => accounted() === count);

  assert.equal(stream.dropped, count - reader.seqs.length);
  assert.deepEqual(
    reader.seqs.filter((seq) => runs.includes(seq)),
    runs,
  );
  // Gaps and events come in order and do not overlap.
  let last = 0;
  for (const { event, id, data } of reader.received.slice(1)) {
    const gap = data as { from: number; to: number; count: number; reason: string };
    const [from, to] =
      event === "dropped" ? [gap.from, gap.to] : [Number(id?.split("-")[1]), Number(id?.split("-")[1])];
    assert.equal(from, last + 1);
    if (event === "dropped") assert.deepEqual([gap.count, gap.reason], [to - from + 1, "slow_consumer"]);
    last = to;
  }
});

test("a reader that is too slow for its replay is told what left the ring meanwhile", async () => {
  const { stream, server } = await serve({ streamRing: 2000, streamBufferBytes: 32 * 1024 });
  const message = "x".repeat(8000);
  for (let n = 1; n <= 2000; n += 1) stream.publish(anEvent(n, { message }));
  const reader = await server.open("?replay=2000");
  await reader.next();
  reader.res.pause();
  await turn();
  for (let n = 2001; n <= 6000; n += 1) stream.publish(anEvent(n, { message }));
  reader.res.resume();
  await reader.until(() => reader.seqs.length + reader.gaps.reduce((sum, gap) => sum + gap.count, 0) === 6000);
  assert.ok(reader.gaps.length > 0);
  assert.equal(stream.dropped, 6000 - reader.seqs.length);
  assert.deepEqual(
    reader.seqs,
    [...new Set(reader.seqs)].toSorted((a, b) => a - b),
  );
});

test("a reader that takes nothing is closed, others are not", async () => {
  const { stream, server } = await serve({ streamStallMs: 500, streamBufferBytes: 64 * 1024 });
  const stalled = await server.open();
  await stalled.next();
  stalled.res.pause();
  const healthy = await server.open();
  await healthy.next();
  const closed = once(server.responses[0] as NonNullable<(typeof server.responses)[0]>, "close");
  let n = 0;
  const stop = every(5, () => {
    for (let i = 0; i < 20; i += 1) stream.publish(anEvent((n += 1), { message: "x".repeat(4000) }));
  });
  await closed;
  stop();
  await healthy.until(() => healthy.seqs.length === n);
  assert.equal(stream.subscriberCount, 1);
  assert.deepEqual(healthy.gaps, []);
});

test("a silent stream has a heartbeat", async () => {
  const { stream, server } = await serve({ streamHeartbeatMs: 20 });
  const reader = await server.open();
  await reader.until(() => reader.comments.length >= 2);
  stream.publish(anEvent(1));
  await reader.until(() => reader.seqs.length === 1);
  assert.deepEqual(reader.gaps, []);
});

test("subscribers beyond the limit are refused until one leaves", async () => {
  const { stream, server } = await serve({ streamSubscribers: 2 });
  const reader = await server.open();
  await server.open();
  const refused = await server.open();
  assert.equal(refused.res.statusCode, 429);
  assert.equal(refused.res.headers["x-error-code"], "too_many_subscribers");
  assert.equal(refused.res.headers["retry-after"], "5");
  const left = once(server.responses[0] as NonNullable<(typeof server.responses)[0]>, "close");
  reader.drop();
  await left;
  assert.equal(stream.subscriberCount, 1);
  assert.equal((await server.open()).res.statusCode, 200);
});

test("closing sends what waits, then 'end'; later subscribers are refused", async () => {
  const { stream, server } = await serve();
  for (let n = 1; n <= 100; n += 1) stream.publish(anEvent(n));
  const reader = await server.open("?replay=100");
  stream.close();
  await reader.whole();
  assert.equal(reader.seqs.length, 100);
  assert.equal(reader.received.at(-1)?.event, "end");
  assert.equal(reader.res.complete, true);
  const late = await server.open();
  assert.equal(late.res.statusCode, 503);
  assert.equal(late.res.headers["x-error-code"], "draining");
});

test("an event is encoded once per form, however many read it", async () => {
  let encoded = 0;
  const { stream, server } = await serve(
    {},
    {
      shape: (event, body) => (body === "none" ? { ...event, toJSON: () => ((encoded += 1), { none: true }) } : event),
    },
  );
  const readers = await Promise.all(Array.from({ length: 8 }, (_, i) => server.open(i < 4 ? "" : "?body=full")));
  for (const reader of readers) await reader.next();
  let full = 0;
  const event = { ...anEvent(1), toJSON: () => ((full += 1), { full: true }) };
  stream.publish(event);
  const got = await Promise.all(readers.map((reader) => reader.next()));
  assert.deepEqual(
    got.map(({ data }) => data),
    Array.from({ length: 8 }, (_, i) => (i < 4 ? { none: true } : { full: true })),
  );
  assert.deepEqual({ encoded, full }, { encoded: 1, full: 1 });
  const late = await server.open("?replay=1");
  await late.take(2);
  assert.equal(encoded, 1);
});

test("a client that is gone before the head is written leaves nothing behind", async () => {
  const stream = new EventStream<TraceEvent>("trace", limitsWith({}));
  const gone = Promise.withResolvers<void>();
  const server = new StreamServer({
    subscribe(req, res, query) {
      stream.subscribe(req, res, query);
      res.once("close", () => gone.resolve());
      res.destroy();
    },
  });
  servers.push(server);
  await server.listen();
  await assert.rejects(server.open());
  await gone.promise;
  await turn();
  stream.publish(anEvent(1));
  assert.equal(stream.subscriberCount, 0);
});

test("between the readers that a round writes to, others have their turn, and every reader gets everything in order", async () => {
  const { stream, server } = await serve();
  const readers = await Promise.all(Array.from({ length: 250 }, () => server.open()));
  for (const reader of readers) await reader.next();
  const before = server.responses.map((res) => res.socket?.bytesWritten ?? 0);
  const written = () => server.responses.filter((res, i) => (res.socket?.bytesWritten ?? 0) > (before[i] ?? 0)).length;
  stream.publish(anEvent(1));
  const seen: number[] = [];
  await new Promise<void>((resolve) => {
    const look = (): void => {
      seen.push(written());
      if (seen.length === 2) stream.publish(anEvent(2));
      if (written() < readers.length) onNextTurn(look);
      else resolve();
    };
    onNextTurn(look);
  });
  assert.deepEqual(seen, [100, 200, 250]);
  for (const reader of readers) await reader.until(() => reader.seqs.length === 2);
  for (const reader of readers) assert.deepEqual(reader.seqs, [1, 2]);
});

test("events that a thread lost leave a mark with a number of its own, told live, once, and to those who resume", async () => {
  const { stream, server } = await serve();
  const reader = await server.open();
  const { epoch } = (await reader.next()).data as { epoch: string };
  stream.publish(anEvent(1));
  stream.publishLoss({ flowId: "f", reason: "producer_overrun", count: 70 });
  stream.publish(anEvent(3));
  const mark = { from: 2, to: 2, count: 70, reason: "producer_overrun", flowId: "f" };
  const [, told] = await reader.take(3);
  assert.deepEqual(told, { event: "dropped", id: `${epoch}-2`, data: mark });
  const before = await server.open("", { "Last-Event-ID": `${epoch}-1` });
  await before.until(() => before.seqs.length === 2);
  assert.deepEqual([before.seqs, before.gaps], [[2, 3], [mark]]);
  const behind = await server.open("", { "Last-Event-ID": `${epoch}-2` });
  await behind.until(() => behind.seqs.length === 1);
  assert.deepEqual([behind.seqs, behind.gaps], [[3], []]);
  assert.equal(stream.dropped, 0);
});

for (const [query, told] of [
  ["?flowId=f", true],
  ["?flowId=g&flowId=f*", true],
  ["?flowId=other", false],
  ["?type=step.*", true],
  ["?type=run.*&type=branch.taken", true],
  ["?type=run.*&type=deploy.completed", false],
  ["?status=failed", false],
  ["?routeId=some&sample=0.5", true],
] as const) {
  test(`${query}: ${told ? "may have" : "cannot have"} wanted what a thread of flow 'f' lost`, async () => {
    const { stream, server } = await serve();
    const reader = await server.open(query);
    await reader.next();
    stream.publishLoss({ flowId: "f", reason: "thread_ended", count: 3 });
    stream.publish({ ...anEvent(2), flowId: "f-and-other" });
    const all = await server.open("?replay=10");
    await all.until(() => all.seqs.length === 1);
    stream.close();
    await reader.whole();
    assert.equal(reader.gaps.length, told ? 1 : 0);
  });
}

test("replayed are events, and the marks between them", async () => {
  const { stream, server } = await serve();
  stream.publish(anEvent(1));
  stream.publishLoss({ flowId: "f", reason: "producer_overrun", count: 5 });
  stream.publish(anEvent(3));
  stream.publishLoss({ flowId: "f", reason: "producer_overrun", count: 6 });
  const one = await server.open("?replay=1");
  await one.until(() => one.seqs.length === 2);
  assert.deepEqual(one.seqs, [3, 4]);
  const two = await server.open("?replay=2");
  await two.until(() => two.seqs.length === 4);
  assert.deepEqual(two.seqs, [1, 2, 3, 4]);
});

test("what a stalled reader waits for stays within its bound, heartbeats included, and the rest is told to it", async () => {
  const { stream, server } = await serve({ streamHeartbeatMs: 5, streamBufferBytes: 64 * 1024 });
  const reader = await server.open();
  await reader.next();
  reader.res.pause();
  const [response] = server.responses;
  assert.ok(response?.socket);
  const { socket } = response;
  let count = 0;
  // Until the kernel takes no more, and then twice what the reader's queue can hold.
  for (let left = 100; left > 0; ) {
    stream.publish(anEvent((count += 1), { message: "x".repeat(2000) }));
    if (stream.dropped > 0) left -= 1;
    if (count % 50 === 0) await turn();
  }
  const held = socket.writableLength;
  const sent = socket.bytesWritten;
  assert.ok(held < 24 * 1024, `${held} bytes in the socket`);
  const silent = await server.open();
  await silent.until(() => silent.comments.length >= 3);
  assert.deepEqual([socket.writableLength, socket.bytesWritten], [held, sent]);
  reader.res.resume();
  await reader.until(() => reader.seqs.length + reader.gaps.reduce((sum, gap) => sum + gap.count, 0) === count);
  assert.equal(stream.dropped, count - reader.seqs.length);
});

test("a filter decides what a reader that resumes gets, not what is kept for it", async () => {
  const { stream, server } = await serve({ streamRing: 50 });
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  for (let n = 1; n <= 60; n += 1) stream.publish(anEvent(n, { flowId: n % 10 === 0 ? "ten" : "other" }));
  const seqs = async (query: string, last: number, enough: number) => {
    const reader = await server.open(query, { "Last-Event-ID": `${epoch}-${last}` });
    await reader.until(() => reader.seqs.length === enough);
    return [reader.seqs, reader.gaps.map(({ count }) => count)];
  };
  assert.deepEqual(await seqs("?flowId=ten", 10, 5), [[20, 30, 40, 50, 60], []]);
  assert.deepEqual(await seqs("?flowId=ten", 35, 3), [[40, 50, 60], []]);
  assert.deepEqual(await seqs("", 55, 5), [[56, 57, 58, 59, 60], []]);
  assert.deepEqual(await seqs("?flowId=ten&replay=2", 9, 2), [[50, 60], [40]]);
});

test("a ring of large events keeps fewer: what had to go is told to those who come for it, and to those who are behind", async () => {
  const large = { message: "x".repeat(10_000) };
  const traits = { bytes: ({ message = "" }: TraceEvent) => message.length };
  const { stream, server } = await serve({ streamRing: 100, streamRingBytes: 105_000 }, traits);
  const probe = await server.open();
  const { epoch } = (await probe.next()).data as { epoch: string };
  for (let n = 1; n <= 20; n += 1) stream.publish(anEvent(n));
  const all = await server.open("", { "Last-Event-ID": `${epoch}-1` });
  await all.until(() => all.seqs.length === 19);
  for (let n = 21; n <= 40; n += 1) stream.publish(anEvent(n, large));
  const behind = await server.open("", { "Last-Event-ID": `${epoch}-20` });
  await behind.take(2);
  assert.deepEqual(behind.gaps, [{ from: 21, to: 40, count: 20, reason: "resume_gap" }]);
  const recent = await server.open("", { "Last-Event-ID": `${epoch}-31` });
  await recent.until(() => recent.seqs.length === 9);
  assert.deepEqual([recent.seqs[0], recent.gaps], [32, []]);
  // It was not written to between these events, and they came to more than the ring holds.
  await all.until(() => all.seqs.length === 28);
  assert.deepEqual(all.gaps, [{ from: 21, to: 31, count: 11, reason: "slow_consumer" }]);
});
