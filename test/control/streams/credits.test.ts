/** Log and trace events of threads: whatever happens, each arrives or is counted as lost, and credits stay within their bounds. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { MessagePort } from "node:worker_threads";
import fc from "fast-check";
import type { BootedThread, ThreadListener } from "../../../src/control/threads/booted-thread.ts";
import { FlowThread, type ThreadOwner } from "../../../src/control/threads/line/flow-thread.ts";
import { ThreadEvents } from "../../../src/control/threads/line/thread-events.ts";
import { LocalWords } from "../../../src/control/threads/local/local-thread.ts";
import { ToControl } from "../../../src/shared/frames-to-control.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import type { Attachment, LossReason } from "../../../src/shared/protocol.ts";
import { Word } from "../../../src/shared/protocol.ts";
import { Line } from "../../../src/workers/line.ts";
import { epochMs, turn } from "../../support/clock.ts";

/** Both ends of a line in one thread, with what is between them in hand. */
const noPermit = () => ({ opened() {}, closed() {} });

class Pair {
  readonly line: Line;
  readonly thread: FlowThread;
  readonly words: Int32Array;
  /** Messages on their way to control. */
  readonly underWay: unknown[][] = [];
  made = { log: 0, trace: 0 };
  readonly arrived: { log: number[]; trace: number[] } = { log: [], trace: [] };
  readonly lost: Record<LossReason, { log: number; trace: number }> = {
    producer_overrun: { log: 0, trace: 0 },
    thread_ended: { log: 0, trace: 0 },
  };
  #control: ThreadListener | undefined;
  dead = false;

  constructor(credits: number, madeWhileDying: number, eventsPerSecond = 5000) {
    const words = new LocalWords(credits);
    const { memory } = words;
    this.words = new Int32Array(memory);
    const port = { postMessage: (frames: unknown[]) => this.underWay.push(frames) };
    this.line = new Line(port as unknown as MessagePort, memory, new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    this.line.maxEvent = 1000;
    const terminate = async (): Promise<void> => {
      for (let i = 0; i < madeWhileDying; i += 1) this.make("log", 1);
    };
    const listen = (control: ThreadListener): void => {
      this.#control = control;
    };
    const booted: BootedThread = {
      number: 1,
      port: { listen, post() {}, posts: 0, choked: false, close() {} },
      words,
      ended: new Promise(() => {}),
      loop: () => undefined,
      sample: async () => undefined,
      grownBytes: () => 0,
      setNice: () => false,
      lastWords: () => undefined,
      terminate,
      release() {},
    };
    const owner: ThreadOwner = {
      flowId: "f",
      limits: { ...defaultLimits, eventCredits: credits, eventsPerSecond, eventsPerRun: 1 },
      freed() {},
      announced() {},
      source() {},
      finished() {},
      recycle() {},
      died() {},
      asks() {},
      asksGroups() {},
      permits: noPermit,
      abandoned() {},
      events: {
        log: (_flow, _run, _step, _level, _logger, message) => this.arrived.log.push(Number(message)),
        trace: (_flow, _run, { step }) => this.arrived.trace.push(step),
        lost: (_flow, reason, { logs, traces }) => {
          this.lost[reason].log += logs;
          this.lost[reason].trace += traces;
        },
        call() {},
        source() {},
        route() {},
        announced() {},
        adopted() {},
        used() {},
        compiled() {},
        killed() {},
        state() {},
        groups() {},
        permits: noPermit,
        abandoned() {},
      },
    };
    this.thread = new FlowThread(booted, owner);
    void this.thread.adopt({ model: { routes: [] } } as unknown as Attachment);
    this.#control?.message([
      ToControl.ready,
      { routes: [], steps: [], externalDirects: [], mappings: [], secrets: [] },
    ]);
    this.thread.runs.active.add({
      invocation: {} as never,
      mappings: [],
      message: 0,
      ordinal: 1,
      cancelled: 0,
      cancelledAt: 0,
      cpuMs: 0,
      reported: false,
      recorded: false,
      handled: 0,
      exceeded: undefined,
      hadEffect: true,
    });
  }

  make(kind: "log" | "trace", count: number): void {
    for (let i = 0; i < count; i += 1) {
      const n = (this.made[kind] += 1);
      if (kind === "log") this.line.log(-1, -1, 2, "", String(n));
      else this.line.trace(0, "step.started", n, 0, "");
    }
  }

  /** Control reads one message. */
  read(): void {
    const frames = this.underWay.shift();
    if (frames !== undefined && !this.dead) this.#control?.message(frames);
  }

  async kill(): Promise<void> {
    this.dead = true;
    this.thread.kill({ reason: "timeout", detail: "" });
    await turn();
  }
}

const action = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom("log" as const, "trace" as const), count: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("post" as const), count: fc.constant(1) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("read" as const), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("turn" as const), count: fc.constant(1) }) },
);

test("arrived + lost = made, for every thread, and no credit is taken twice or lost", async () => {
  const setting = fc.record({
    credits: fc.nat(60),
    threads: fc.integer({ min: 1, max: 3 }),
    actions: fc.array(fc.tuple(fc.nat(2), action), { maxLength: 40 }),
    dies: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
    madeWhileDying: fc.nat(5),
    eventsPerSecond: fc.constantFrom(20, 5000),
  });
  await fc.assert(
    fc.asyncProperty(setting, async ({ credits, threads, actions, dies, madeWhileDying, eventsPerSecond }) => {
      const pairs = Array.from({ length: threads }, () => new Pair(credits, madeWhileDying, eventsPerSecond));
      const within = ({ words }: Pair): void => {
        const left = words[Word.credits] as number;
        assert.ok(left >= 0 && left <= credits, `${left} of ${credits}`);
      };
      for (const [which, { do: what, count }] of actions) {
        const pair = pairs[which % threads] as Pair;
        if (what === "post") pair.line.outbox.flush();
        else if (what === "read") for (let i = 0; i < count; i += 1) pair.read();
        else if (what === "turn") await turn();
        else pair.make(what, count);
        within(pair);
      }
      for (const [i, pair] of pairs.entries()) {
        if (dies[i] === true) await pair.kill();
        else {
          await turn();
          while (pair.underWay.length > 0) pair.read();
          await turn();
          if (eventsPerSecond === 5000) assert.equal(pair.words[Word.credits], credits);
          assert.deepEqual(pair.lost.thread_ended, { log: 0, trace: 0 });
        }
        for (const kind of ["log", "trace"] as const) {
          const lost = pair.lost.producer_overrun[kind] + pair.lost.thread_ended[kind];
          assert.equal(pair.arrived[kind].length + lost, pair.made[kind], kind);
          assert.deepEqual(
            pair.arrived[kind],
            [...new Set(pair.arrived[kind])].toSorted((a, b) => a - b),
          );
        }
        within(pair);
      }
    }),
    { numRuns: 300 },
  );
});

test("a loss is told even when the thread sends nothing more", async () => {
  const pair = new Pair(0, 0);
  pair.make("log", 3);
  pair.make("trace", 2);
  assert.equal(pair.underWay.length, 0);
  await turn();
  assert.deepEqual(pair.underWay, [[ToControl.dropped, 3, 2]]);
});

test("an event that is longer than events may be is counted as lost", async () => {
  const pair = new Pair(10, 0);
  pair.line.trace(0, "step.failed", 1, 0, "x".repeat(1001));
  await turn();
  pair.read();
  assert.deepEqual(pair.lost.producer_overrun, { log: 0, trace: 1 });
  await turn();
  assert.equal(pair.words[Word.credits], 10);
});

/** What a thread that prints in a loop makes of its credits within ten seconds, and of `runs` that end in each of them. */
function printing(
  t: TestContext,
  runs: number,
): { readonly arrived: number; readonly most: number; readonly left: number } {
  t.mock.timers.enable({ apis: ["setImmediate", "setTimeout", "Date"] });
  const limits = { eventCredits: 100, eventsPerSecond: 200, eventsPerRun: 50 };
  let credits = 100;
  let arrived = 0;
  let most = 0;
  const words = { logs: 0, traces: 0, giveCredits: (count: number) => (credits += count) };
  const events = new ThreadEvents(words, limits, epochMs);
  for (let ms = 0; ms < 10_000; ms += 10) {
    most = Math.max(most, credits);
    for (; credits > 0; credits -= 1) {
      assert.ok(events.log(10));
      arrived += 1;
    }
    if (ms % 1000 === 0) for (let i = 0; i < runs; i += 1) events.runEnded();
    events.settle();
    t.mock.timers.tick(10);
  }
  for (let ms = 0; ms < 2000; ms += 20) t.mock.timers.tick(20);
  return { arrived, most, left: credits };
}

test("a thread that prints in a loop is heard at its rate, never more at once than it has credits, and loses none of them", (t) => {
  const { arrived, most, left } = printing(t, 0);
  assert.ok(arrived > 2000 && arrived <= 100 + 200 + 200 * 10, String(arrived));
  assert.deepEqual([most, left], [100, 100]);
});

test("each run that ends lets its thread tell more", (t) => {
  const { arrived, left } = printing(t, 2);
  assert.ok(arrived > 2500 && arrived <= 100 + 200 + 300 * 10, String(arrived));
  assert.equal(left, 100);
});

test("long events count as several", (t) => {
  t.mock.timers.enable({ apis: ["setImmediate", "setTimeout", "Date"] });
  let given = 0;
  const words = { logs: 0, traces: 0, giveCredits: (count: number) => (given += count) };
  const events = new ThreadEvents(words, { eventCredits: 100, eventsPerSecond: 100, eventsPerRun: 50 }, epochMs);
  for (let i = 0; i < 100; i += 1) events.trace(3 * 4096);
  events.settle();
  t.mock.timers.tick(0);
  assert.equal(given, 25);
  for (let ms = 0; ms < 10_000; ms += 20) t.mock.timers.tick(20);
  assert.equal(given, 100);
});

test("a thread that sends more events than it has credits for is a flood", () => {
  const pair = new Pair(3, 0);
  let reason: string | undefined;
  pair.thread.kill = (kill) => {
    reason ??= kill.reason;
  };
  pair.underWay.push([1, 2, 3].flatMap((n) => [ToControl.log, -1, -1, 2, "", String(n), ""]));
  pair.read();
  assert.equal(reason, undefined);
  pair.underWay.push([ToControl.log, -1, -1, 2, "", "4", ""]);
  pair.read();
  assert.deepEqual([reason, pair.arrived.log], ["flood", [1, 2, 3]]);
});

for (const counts of [
  [-1, 0],
  [0, Number.NaN],
  [0.5, 0],
  ["1", 0],
  [0, undefined],
  [2 ** 60, 0],
]) {
  test(`a thread that tells ${JSON.stringify(counts)} as what it dropped is ended: sums must not shrink`, () => {
    const pair = new Pair(10, 0);
    let reason: string | undefined;
    pair.thread.kill = (kill) => {
      reason = kill.reason;
    };
    pair.underWay.push([ToControl.dropped, ...counts]);
    pair.read();
    assert.equal(reason, "exit");
    assert.deepEqual(pair.lost.producer_overrun, { log: 0, trace: 0 });
  });
}
