/** How often callers may call: buckets with the test's clock, and the memory of failed authentications. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { addressKey, Guesses, TokenBuckets } from "../../../src/control/access/rates.ts";

function clock() {
  let ms = 0;
  return {
    now: () => ms,
    pass: (more: number) => {
      ms += more;
    },
  };
}

test("a bucket allows its burst at once, and then a token at the rate", () => {
  const { now, pass } = clock();
  const buckets = new TokenBuckets(10, now);
  const limit = { rps: 2, burst: 3 };
  const taken = () => buckets.take("a", limit);
  assert.deepEqual(
    [taken(), taken(), taken()].map(({ ok, remaining }) => [ok, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
    ],
  );
  assert.deepEqual(taken(), { ok: false, remaining: 0, fullAfter: 2, retryAfter: 1 });
  pass(499);
  assert.equal(taken().ok, false);
  pass(1);
  assert.equal(taken().ok, true);
  pass(60_000);
  assert.deepEqual(taken(), { ok: true, remaining: 2, fullAfter: 1, retryAfter: 1 });
});

test("a slow rate returns the time to wait, and callers do not share a bucket", () => {
  const { now } = clock();
  const buckets = new TokenBuckets(10, now);
  const limit = { rps: 0.1, burst: 1 };
  assert.equal(buckets.take("a", limit).ok, true);
  assert.equal(buckets.take("a", limit).retryAfter, 10);
  assert.equal(buckets.take("b", limit).ok, true);
});

test("a lower limit applies at once; looking takes no token", () => {
  const { now } = clock();
  const buckets = new TokenBuckets(10, now);
  buckets.take("a", { rps: 1, burst: 100 });
  assert.equal(buckets.look("a", { rps: 1, burst: 2 }).remaining, 2);
  assert.equal(buckets.look("a", { rps: 1, burst: 2 }).remaining, 2);
  assert.equal(buckets.look("b", { rps: 1, burst: 2 }).remaining, 2);
  assert.equal(buckets.size, 1);
});

test("the number of remembered callers is bounded, and the most recent one is not forgotten", () => {
  const { now } = clock();
  const buckets = new TokenBuckets(3, now);
  const limit = { rps: 1, burst: 1 };
  buckets.take("kept", limit);
  for (let i = 0; i < 100; i++) {
    buckets.take(`stranger ${i}`, limit);
    assert.equal(buckets.take("kept", limit).ok, false);
  }
  assert.equal(buckets.size, 3);
});

test("an IPv6 address shares its bucket with its network of 64 bits", () => {
  assert.equal(addressKey("198.51.100.1"), "198.51.100.1");
  assert.equal(addressKey("2001:db8::1"), addressKey("2001:db8::ffff:1"));
  assert.equal(addressKey("2001:db8:0:0:1:2:3:4"), addressKey("2001:db8::1"));
  assert.notEqual(addressKey("2001:db8:0:1::1"), addressKey("2001:db8::1"));
  assert.equal(addressKey("::1"), "0:0:0:0");
});

test("after too many failures a key that was never accepted is refused, and one that was accepted before still works", () => {
  const { now, pass } = clock();
  const guesses = new Guesses(10, 100, now);
  assert.equal(guesses.right("f", "known", "198.51.100.1").ok, true);
  for (let i = 0; i < 10; i++) assert.equal(guesses.failed("198.51.100.1").ok, true);
  assert.deepEqual(guesses.failed("198.51.100.1"), { ok: false, remaining: 0, fullAfter: 60, retryAfter: 6 });
  assert.equal(guesses.right("f", "guessed", "198.51.100.1").ok, false);
  assert.equal(guesses.right("f", "known", "198.51.100.1").ok, true);
  assert.equal(guesses.right("other flow", "known", "198.51.100.1").ok, false);
  assert.equal(guesses.right("f", "guessed", "198.51.100.2").ok, true);
  pass(6000);
  assert.equal(guesses.right("f", "another", "198.51.100.1").ok, true);
  assert.equal(guesses.failed("198.51.100.1").ok, true);
  assert.equal(guesses.failed("198.51.100.1").ok, false);
});
