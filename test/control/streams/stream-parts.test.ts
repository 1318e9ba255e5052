/** Properties of a stream's parts: its ring, its encoding, a slow reader's queue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { EventRing, startOf } from "../../../src/control/streams/event-ring.ts";
import { encodeEvent } from "../../../src/control/streams/sse.ts";
import { StreamQueue } from "../../../src/control/streams/subscriber-queue.ts";

test("a ring holds the last events by their numbers, as many as it has room for and may weigh", () => {
  const setting = fc.record({
    capacity: fc.integer({ min: 1, max: 9 }),
    maxWeight: fc.oneof(fc.nat(60), fc.constant(Number.POSITIVE_INFINITY)),
    weights: fc.array(
      fc.oneof({ weight: 20, arbitrary: fc.nat(20) }, { weight: 1, arbitrary: fc.constant("reset" as const) }),
      { maxLength: 40 },
    ),
  });
  fc.assert(
    fc.property(setting, ({ capacity, maxWeight, weights }) => {
      const ring = new EventRing<string>(capacity, maxWeight);
      let model: { seq: number; weight: number }[] = [];
      let last = 0;
      const weightOf = (): number => model.reduce((sum, { weight }) => sum + weight, 0);
      for (const weight of weights) {
        if (weight === "reset") {
          ring.reset();
          model = [];
          last = 0;
        } else {
          last += 1;
          model.push({ seq: last, weight });
          const gone: string[] = [];
          while (model.length > 1 && (model.length > capacity || weightOf() > maxWeight))
            gone.push(`e${model.shift()?.seq}`);
          assert.deepEqual(ring.push(`e${last}`, weight), gone);
        }
        const first = model[0]?.seq ?? last + 1;
        assert.deepEqual([ring.first, ring.last, ring.weight], [first, last, weightOf()]);
        for (let n = -1; n <= last + 1; n += 1) {
          assert.equal(ring.at(n), n >= first && n <= last ? `e${n}` : undefined);
        }
      }
    }),
    { numRuns: 500 },
  );
});

test("resuming never skips and never repeats: what is not told as a gap comes", () => {
  const setting = fc.record({
    capacity: fc.integer({ min: 1, max: 9 }),
    count: fc.integer({ min: 0, max: 40 }),
    seq: fc.integer({ min: 0, max: 45 }),
    sameEpoch: fc.boolean(),
    replay: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(setting, ({ capacity, count, seq, sameEpoch, replay }) => {
      const ring = new EventRing<number>(capacity);
      for (let n = 1; n <= count; n += 1) ring.push(n);
      const lastSeen = { epoch: sameEpoch ? "now" : "then", seq };
      const { next, gap } = startOf(ring, "now", lastSeen, replay, () => true);
      assert.ok(next >= ring.first && next <= count + 1);
      const expected = sameEpoch && seq <= count ? seq + 1 : 1;
      if (gap === undefined) {
        assert.equal(next, expected);
      } else {
        assert.deepEqual(gap, { from: expected, to: next - 1, count: next - expected, reason: "resume_gap" });
        assert.equal(next, Math.max(ring.first, count - replay + 1));
      }
    }),
    { numRuns: 1000 },
  );
});

function decode(text: string): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(text);
  return events;
}

const nasty = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    "a\n\nb",
    "\r\n",
    "\r",
    "\u2028\u2029\u0085",
    "data: x",
    "\0",
    "\ud800",
    "\udc00\ud800",
    "\ufeff",
    ":",
  ),
  fc.constantFrom("\n\nevent: end\ndata: {}\n\n", "\nid: e-99\n", "\nretry: 1\n\n"),
);

test("any text is one event and arrives as it was, wherever the bytes are cut on their way", () => {
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(fc.array(nasty, { maxLength: 4 }), cuts, (texts, sizes) => {
      const bytes = Buffer.concat(texts.map((text, i) => encodeEvent("log", { message: text }, `e-${i}`)));
      const events: EventSourceMessage[] = [];
      const unexpected: unknown[] = [];
      const parser = createParser({
        onEvent: (event) => events.push(event),
        onError: (error) => unexpected.push(error),
        onRetry: (retry) => unexpected.push(retry),
      });
      const decoder = new TextDecoder();
      for (let at = 0; at < bytes.length; ) {
        const size = sizes.next().value;
        parser.feed(decoder.decode(bytes.subarray(at, at + size), { stream: true }));
        at += size;
      }
      assert.deepEqual(unexpected, []);
      assert.deepEqual(
        events.map(({ event, id, data }) => [event, id, JSON.parse(data).message]),
        texts.map((text, i) => ["log", `e-${i}`, text]),
      );
    }),
    { numRuns: 1000 },
  );
});

test("any payload is one event, and arrives as it was", () => {
  const { payload } = fc.letrec((tie) => ({
    payload: fc.dictionary(nasty, tie("value"), { maxKeys: 4, noNullPrototype: true }),
    value: fc.oneof(
      { maxDepth: 3 },
      nasty,
      fc.double(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      tie("payload"),
    ),
  }));
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 3 }), (payloads) => {
      const wire = payloads.map((data, i) => encodeEvent("trace", data as object, `e-${i}`).toString()).join("");
      const events = decode(wire);
      assert.equal(events.length, payloads.length);
      events.forEach(({ event, id, data }, i) => {
        assert.deepEqual([event, id], ["trace", `e-${i}`]);
        assert.deepEqual(JSON.parse(data), JSON.parse(JSON.stringify(payloads[i])));
      });
    }),
    { numRuns: 500 },
  );
});

test("an encoded event keeps no more memory alive than it has: readers may wait long for a small one", () => {
  for (const size of [0, 100, 5000, 100_000]) {
    const frame = encodeEvent("trace", { pad: "x".repeat(size) }, "e-1");
    assert.equal(frame.buffer.byteLength, frame.length);
  }
  const queue = new StreamQueue(100_000, (gap) => encodeEvent("dropped", gap));
  for (let n = 1; n <= 30; n += 1) queue.offer(n, encodeEvent("trace", { pad: "x".repeat(500) }, `e-${n}`), false);
  const slice = queue.take(16 * 1024);
  assert.equal(slice?.buffer.byteLength, slice?.length);
});

test("a queue keeps its bound, its order and its count, whatever comes and whenever it is read", () => {
  const step = fc.record({
    size: fc.integer({ min: 20, max: 900 }),
    kept: fc.boolean(),
    /** Not 0: the mark of so many events that a thread lost. */
    missing: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(1000) }),
    take: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }) },
    ),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 8000 }), fc.array(step, { maxLength: 200 }), (cap, steps) => {
      const queue = new StreamQueue(cap, (gap) => encodeEvent("dropped", gap));
      let wire = "";
      steps.forEach(({ size, kept, missing, take }, i) => {
        const seq = i + 1;
        const mark = { from: seq, to: seq, count: missing, reason: "producer_overrun" };
        if (missing > 0) queue.offer(seq, encodeEvent("dropped", mark, `e-${seq}`), true, missing);
        else queue.offer(seq, encodeEvent("trace", { pad: "x".repeat(size), kept }, `e-${seq}`), kept);
        assert.ok(queue.bytes <= cap, `${queue.bytes} > ${cap}`);
        if (take > 0) wire += queue.take(take)?.toString() ?? "";
      });
      while (!queue.empty) wire += queue.take(1000)?.toString() ?? "";
      assert.equal(queue.bytes, 0);
      const events = steps.filter(({ missing }) => missing === 0).length;
      const lostByThreads = steps.reduce((sum, { missing }) => sum + missing, 0);
      let last = 0;
      let received = 0;
      let told = 0;
      for (const { event, id, data } of decode(wire)) {
        const gap = JSON.parse(data);
        const from = event === "dropped" ? gap.from : Number(id?.slice(2));
        assert.equal(from, last + 1);
        last = event === "dropped" ? gap.to : from;
        if (event === "trace") received += 1;
        else told += gap.count;
      }
      assert.equal(received + told, events + lostByThreads);
      assert.equal(queue.dropped, events - received);
      assert.equal(last, steps.length);
    }),
    { numRuns: 500 },
  );
});

test("kept events are lost only when nothing else can go", () => {
  const queue = new StreamQueue(20_000, (gap) => encodeEvent("dropped", gap));
  let kept = 0;
  for (let n = 1; n <= 1000; n += 1) {
    const isKept = n % 20 === 0;
    if (isKept) kept += 1;
    queue.offer(n, encodeEvent("trace", { pad: "x".repeat(200), isKept }, `e-${n}`), isKept);
  }
  let wire = "";
  while (!queue.empty) wire += queue.take(1000)?.toString() ?? "";
  const events = decode(wire).filter(({ event }) => event === "trace");
  assert.equal(events.filter(({ data }) => JSON.parse(data).isKept).length, kept);
});
