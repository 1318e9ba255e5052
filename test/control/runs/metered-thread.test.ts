/** What a thread uses is counted once, whoever looks at it, and however it ends. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BootedThread, ThreadSample } from "../../../src/control/threads/booted-thread.ts";
import { LocalWords } from "../../../src/control/threads/local/local-thread.ts";
import { MeteredThread } from "../../../src/control/threads/metered-thread.ts";
import { Word } from "../../../src/shared/protocol.ts";

class FakeThread {
  cpuMs = 0;
  /** Answers are given when it says so; undefined: at once. */
  held: (() => void)[] | undefined;
  samples = 0;
  gone = false;
  readonly port = {
    posts: 0,
    post(): void {
      this.posts += 1;
    },
    ...{ choked: false, listen() {}, close() {} },
  };
  readonly words = new LocalWords(10);
  readonly memory = new Int32Array(this.words.memory);
  readonly ended = Promise.withResolvers<Error | undefined>();
  readonly used = { cpuMs: 0, calls: 0, demotions: 0 };
  readonly metered: MeteredThread;

  constructor() {
    const booted: BootedThread = {
      number: 1,
      port: this.port,
      words: this.words,
      ended: this.ended.promise,
      loop: () => undefined,
      sample: () => this.#sample(),
      grownBytes: () => 0,
      setNice: () => true,
      lastWords: () => undefined,
      terminate: async () => {
        this.gone = true;
        this.ended.resolve(new Error("terminated"));
      },
      release() {},
    };
    this.metered = new MeteredThread(booted, ({ cpuMs, calls, demotions }) => {
      this.used.cpuMs += cpuMs;
      this.used.calls += calls;
      this.used.demotions += demotions;
    });
  }

  async #sample(): Promise<ThreadSample | undefined> {
    this.samples += 1;
    const { cpuMs, gone } = this;
    if (this.held !== undefined) await new Promise<void>((resolve) => this.held?.push(resolve));
    return gone ? undefined : { cpuMs, heapBytes: 100, externalBytes: 10, idleMs: 0, activeMs: 0 };
  }
}

test("looks at the same time count nothing twice, in whatever order they are answered", async () => {
  const thread = new FakeThread();
  thread.held = [];
  thread.cpuMs = 30;
  const first = thread.metered.sample();
  thread.cpuMs = 50;
  const second = thread.metered.sample();
  for (const answer of thread.held.reverse()) answer();
  await Promise.all([first, second]);
  assert.equal(thread.used.cpuMs, 50);
  assert.equal(thread.metered.last.cpuMs, 50);
});

test("one that has done nothing since is not asked again, until something is sent to it", async () => {
  const thread = new FakeThread();
  thread.cpuMs = 15;
  await thread.metered.look();
  await thread.metered.look();
  const asked = thread.samples;
  await thread.metered.look();
  assert.equal(thread.samples, asked);
  thread.metered.port.post([]);
  thread.cpuMs = 20;
  await thread.metered.look();
  assert.deepEqual([thread.samples, thread.used.cpuMs], [asked + 1, 20]);
});

test("one that is killed, and one that ends by itself, have their last use counted before the end is told", async () => {
  const killed = new FakeThread();
  killed.cpuMs = 40;
  await killed.metered.terminate();
  await killed.metered.ended;
  assert.equal(killed.used.cpuMs, 40);

  const left = new FakeThread();
  await left.metered.look();
  left.metered.port.post([]);
  left.cpuMs = 60;
  left.memory[Word.calls] = 3;
  left.ended.resolve(undefined);
  assert.equal(await left.metered.ended, undefined);
  assert.deepEqual(left.used, { cpuMs: 60, calls: 3, demotions: 0 });
});

test("calls are counted over the end of their word, those of a thread that is gone too", async () => {
  const thread = new FakeThread();
  thread.memory[Word.calls] = 2 ** 31 - 1;
  await thread.metered.sample();
  thread.memory[Word.calls] = -(2 ** 31) + 4;
  thread.gone = true;
  thread.ended.resolve(new Error("it died"));
  await thread.metered.ended;
  assert.equal(thread.used.calls, 2 ** 31 + 4);
});

test("a rank that is lowered is a demotion, the first one and one that is given back are not", () => {
  const thread = new FakeThread();
  for (const nice of [2, 19, 19, 2, 19]) thread.metered.setNice(nice);
  assert.equal(thread.used.demotions, 2);
});
