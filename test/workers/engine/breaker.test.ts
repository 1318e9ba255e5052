/** A circuit breaker's states, on a clock of the test's own (resilience4j: CircuitBreakerStateMachineTest). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Breaker, type BreakerRules } from "../../../src/workers/steps/circuit-breaker/states.ts";

const rules: BreakerRules = {
  failureRateThreshold: 50,
  slowCallRateThreshold: 100,
  slowCallDurationThreshold: 60_000,
  slidingWindowType: "COUNT_BASED",
  slidingWindowSize: 4,
  minimumNumberOfCalls: 4,
  permittedNumberOfCallsInHalfOpenState: 2,
  waitDurationInOpenState: 1000,
  maxWaitDurationInHalfOpenState: 0,
  automaticTransitionFromOpenToHalfOpenEnabled: false,
};

/** `calls`: f failed, s succeeded, l succeeded after two minutes. */
function breakerAfter(calls: string, changes: Partial<BreakerRules> = {}) {
  const clock = { now: 500 };
  const breaker = new Breaker({ ...rules, ...changes }, () => clock.now);
  const play = (marks: string): void => {
    for (const mark of marks) {
      assert.equal(breaker.permits(), true, `a call of ${marks}`);
      breaker.record(mark === "f", mark === "l" ? 120_000 : 1);
    }
  };
  play(calls);
  return { breaker, clock, play };
}

for (const [calls, state, changes] of [
  ["fff", "CLOSED", {}],
  ["fssf", "OPEN", {}],
  ["fsss", "CLOSED", {}],
  ["ffsssss", "CLOSED", { minimumNumberOfCalls: 7, slidingWindowSize: 7 }],
  ["sssfsssf", "CLOSED", {}],
  ["ssssff", "OPEN", {}],
  ["fff", "OPEN", { minimumNumberOfCalls: 100, slidingWindowSize: 3 }],
  ["lll", "CLOSED", {}],
  ["llll", "OPEN", {}],
  ["lsls", "OPEN", { slowCallRateThreshold: 50 }],
  ["ff", "CLOSED", { slidingWindowType: "TIME_BASED", slidingWindowSize: 1 }],
] as const) {
  test(`after ${calls} it is ${state} with ${JSON.stringify(changes)}`, () => {
    assert.equal(breakerAfter(calls, changes).breaker.state, state);
  });
}

test("open it permits nothing until the wait is over, then so many calls decide", () => {
  const { breaker, clock, play } = breakerAfter("ffff");
  clock.now += 999;
  assert.equal(breaker.permits(), false);
  clock.now += 1;
  assert.equal(breaker.state, "OPEN");
  assert.equal(breaker.permits(), true);
  assert.equal(breaker.state, "HALF_OPEN");
  assert.equal(breaker.permits(), true);
  assert.equal(breaker.permits(), false);
  breaker.record(false, 1);
  assert.equal(breaker.state, "HALF_OPEN");
  breaker.record(false, 1);
  assert.equal(breaker.state, "CLOSED");
  play("fff");
  assert.equal(breaker.state, "CLOSED");
});

test("half open it opens again when they fail, and a call that does not count gives its place back", () => {
  const { breaker, clock } = breakerAfter("ffff");
  clock.now += 1000;
  for (let i = 0; i < 5; i++) {
    assert.equal(breaker.permits(), true);
    breaker.forget();
  }
  for (const failed of [true, true]) {
    assert.equal(breaker.permits(), true);
    breaker.record(failed, 1);
  }
  assert.equal(breaker.state, "OPEN");
  clock.now += 999;
  assert.equal(breaker.permits(), false);
});

test("half open it opens again when its calls take too long, and what they did then changes nothing", () => {
  const { breaker, clock } = breakerAfter("ffff", { maxWaitDurationInHalfOpenState: 400 });
  clock.now += 1000;
  assert.equal(breaker.permits(), true);
  clock.now += 399;
  assert.equal(breaker.permits(), true);
  breaker.record(false, 1);
  assert.equal(breaker.state, "HALF_OPEN");
  clock.now += 1;
  assert.equal(breaker.state, "OPEN");
  assert.equal(breaker.permits(), false);
  breaker.record(false, 1);
  assert.equal(breaker.state, "OPEN");
  clock.now += 1000;
  assert.equal(breaker.permits(), true);
  assert.equal(breaker.state, "HALF_OPEN");
});

test("a half open breaker without such a time waits for its calls", () => {
  const { breaker, clock } = breakerAfter("ffff");
  clock.now += 1000;
  assert.equal(breaker.permits(), true);
  clock.now += 1e9;
  assert.equal(breaker.state, "HALF_OPEN");
});

test("it is half open by itself when it is to be", () => {
  const { breaker, clock } = breakerAfter("ffff", { automaticTransitionFromOpenToHalfOpenEnabled: true });
  clock.now += 1000;
  assert.equal(breaker.state, "HALF_OPEN");
});

test("a call that ends while it is open changes nothing", () => {
  const { breaker } = breakerAfter("fff");
  assert.equal(breaker.permits(), true);
  assert.equal(breaker.permits(), true);
  breaker.record(true, 1);
  breaker.record(false, 1);
  assert.equal(breaker.state, "OPEN");
});

test("by time the calls of the last seconds count", () => {
  const changes = { slidingWindowType: "TIME_BASED", slidingWindowSize: 2, minimumNumberOfCalls: 4 } as const;
  const { breaker, clock, play } = breakerAfter("fff", changes);
  clock.now = 2000;
  play("f");
  assert.equal(breaker.state, "CLOSED");
  clock.now = 2999;
  play("ff");
  clock.now = 3999;
  play("f");
  assert.equal(breaker.state, "OPEN");
  const later = breakerAfter("fff", changes);
  later.clock.now = 60_000;
  later.play("fff");
  assert.equal(later.breaker.state, "CLOSED");
});
