/** Properties of a stream's parts: its ring, its encoding, a slow reader's queue. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createParser, type EventSourceMessage } from "eventsource-parser";
import fc from "fast-check";
import { StreamQueue } from "../../../src/control/http/event-stream-queue.ts";
import { startOf } from "../../../src/control/http/event-stream-resume.ts";
import { EventRing } from "../../../src/control/http/event-stream-ring.ts";
import { encodeEvent } from "../../../src/control/http/sse.ts";

test("a ring holds the last events by their numbers", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 40 }), (capacity, count) => {
      const ring = new EventRing<string>(capacity);
      for (let n = 1; n <= count; n += 1) {
        assert.equal(ring.push(`e${n}`), n > capacity ? `e${n - capacity}` : undefined);
      }
      const first = Math.max(1, count - capacity + 1);
      assert.deepEqual([ring.first, ring.last], [first, count]);
      for (let n = -1; n <= count + 1; n += 1) {
        assert.equal(ring.at(n), n >= first && n <= count ? `e${n}` : undefined);
      }
    }),
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

test("any payload is one event, and arrives as it was", () => {
  const nasty = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "a\n\nb",
      "\r\n",
      "\r",
      "\u2028\u2029",
      "data: x",
      "\n\nevent: end\ndata: {}\n\n",
      "\ud800",
      "\ufeff",
      ":",
    ),
  );
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

test("a queue keeps its bound, its order and its count, whatever comes and whenever it is read", () => {
  const step = fc.record({
    size: fc.integer({ min: 20, max: 900 }),
    kept: fc.boolean(),
    take: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 3000 }) },
    ),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1000, max: 8000 }), fc.array(step, { maxLength: 200 }), (cap, steps) => {
      const queue = new StreamQueue(cap, (gap) => encodeEvent("dropped", gap));
      let wire = "";
      steps.forEach(({ size, kept, take }, i) => {
        const frame = encodeEvent("trace", { pad: "x".repeat(size), kept }, `e-${i + 1}`);
        queue.offer(i + 1, frame, kept);
        assert.ok(queue.bytes <= cap, `${queue.bytes} > ${cap}`);
        if (take > 0) wire += queue.take(take)?.toString() ?? "";
      });
      while (!queue.empty) wire += queue.take(1000)?.toString() ?? "";
      assert.equal(queue.bytes, 0);
      let last = 0;
      let dropped = 0;
      for (const { event, id, data } of decode(wire)) {
        const gap = JSON.parse(data);
        const from = event === "dropped" ? gap.from : Number(id?.slice(2));
        assert.equal(from, last + 1);
        last = event === "dropped" ? gap.to : from;
        if (event === "dropped") {
          assert.equal(gap.count, gap.to - gap.from + 1);
          assert.equal(gap.reason, "slow_consumer");
          dropped += gap.count;
        }
      }
      assert.equal(last, steps.length);
      assert.equal(queue.dropped, dropped);
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
