/**
 * The pauses between attempts that fail: of connections (BackOff) and of polls (PollClock). Every connector waits by one of
 * the two. The clock and the dice are those of the test.
 */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { BackOff } from "../../../src/workers/engine/connections/back-off.ts";
import { type ClockOptions, PollClock } from "../../../src/workers/engine/poll-clock.ts";
import { turn } from "../../support/clock.ts";

/** Throws the same number each time, from 0 on and below 1. */
function dice(t: TestContext, number: number): void {
  t.mock.method(Math, "random", () => number);
}

function pausesOfBackOff(t: TestContext, most: number, failures: number): number[] {
  t.mock.method(performance, "now", () => 1000);
  const backOff = new BackOff(most);
  return Array.from({ length: failures }, () => {
    backOff.failed();
    return backOff.waitMs;
  });
}

test("each failed attempt to connect doubles the pause, up to the limit", (t) => {
  dice(t, 1);
  assert.deepEqual(pausesOfBackOff(t, 5000, 8), [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

test("half of a pause is chance, so that threads which lost the same server do not come back together", (t) => {
  dice(t, 0);
  assert.deepEqual(pausesOfBackOff(t, 5000, 8), [50, 100, 200, 400, 800, 1600, 2500, 2500]);
});

test("a connection that opens ends the pauses, and the next failure begins with the first one", (t) => {
  dice(t, 1);
  t.mock.method(performance, "now", () => 1000);
  const backOff = new BackOff(5000);
  for (let failures = 0; failures < 5; failures++) backOff.failed();
  backOff.succeeded();
  assert.deepEqual([backOff.failing, backOff.waitMs], [false, 0]);
  backOff.failed();
  assert.deepEqual([backOff.failing, backOff.waitMs], [true, 100]);
});

/** Resolves with the pauses that a clock reports, one for each outcome of a poll: true, it went well. `pollMs`: how long each takes. */
async function pausesOfClock(
  t: TestContext,
  outcomes: readonly boolean[],
  { pollMs = 0, ...more }: Partial<ClockOptions> & { readonly pollMs?: number } = {},
): Promise<readonly (number | undefined)[]> {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let time = 1000;
  const { mock: now } = t.mock.method(performance, "now", () => time);
  const pauses: (number | undefined)[] = [];
  const report = {
    polls() {},
    polled: (next: number | undefined) => void pauses.push(next),
    failed: (_: unknown, next: number | undefined) => void pauses.push(next),
    backlog() {},
    redelivered() {},
  };
  const left = [...outcomes];
  const options = { initialDelay: 0, delay: 50, useFixedDelay: true, greedy: false, repeatCount: 0, ...more };
  const clock = new PollClock(options, report, async () => {
    time += pollMs;
    if (left.shift() === false) throw new Error("the server is away");
    return 0;
  });
  clock.start();
  while (left.length > 0) {
    t.mock.timers.tick(10 * 60_000);
    await turn();
  }
  await clock.idle();
  clock.stop();
  // A test that asks twice would else leave the first clock behind, for all files of its process: mocks are restored in the order they were made.
  now.restore();
  t.mock.timers.reset();
  return pauses.slice(0, outcomes.length);
}

test("each failed poll doubles the time to the next one, beside the delay, up to a minute", async (t) => {
  dice(t, 1);
  const pauses = await pausesOfClock(
    t,
    Array.from({ length: 13 }, () => false),
  );
  assert.deepEqual(pauses.slice(0, 6), [50, 50 + 100, 50 + 200, 50 + 400, 50 + 800, 50 + 1600]);
  assert.equal(pauses.at(-1), 50 + 60_000);
});

test("half of the time beside the delay is chance", async (t) => {
  dice(t, 0);
  assert.deepEqual(await pausesOfClock(t, [false, false, false, false]), [50, 50 + 50, 50 + 100, 50 + 200]);
});

test("a poll that goes well ends the pauses, and steady polls have none", async (t) => {
  dice(t, 1);
  const some = [false, false, false, true, false, false];
  assert.deepEqual(await pausesOfClock(t, some), [50, 150, 250, 50, 50, 150]);
  assert.deepEqual(await pausesOfClock(t, some, { steady: true }), [50, 50, 50, 50, 50, 50]);
});

test("polls of files, of file, ftp, ftps and sftp, and of sql are a delay apart from end to beginning; with useFixedDelay: false from beginning to beginning", async (t) => {
  const slow = { delay: 1000, pollMs: 300 };
  assert.deepEqual(await pausesOfClock(t, [true, true], { ...slow, useFixedDelay: true }), [1000, 1000]);
  assert.deepEqual(await pausesOfClock(t, [true, true], { ...slow, useFixedDelay: false }), [700, 700]);
  assert.deepEqual(await pausesOfClock(t, [true], { ...slow, pollMs: 1500, useFixedDelay: false }), [0]);
});
