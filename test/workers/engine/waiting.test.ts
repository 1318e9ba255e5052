/** Waits that are given up. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { queryObjects } from "node:v8";
import { unlessAborted, within } from "../../../src/workers/engine/waiting.ts";
import { turn } from "../../support/clock.ts";

test("work that was given up before it began fails later without an unhandled rejection", async () => {
  const work = Promise.withResolvers<void>();
  await assert.rejects(unlessAborted(work.promise, AbortSignal.abort(new Error("over"))), /^Error: over$/);
  work.reject(new Error("later"));
  // An unhandled rejection fails the test that is under way.
  await turn();
});

test("work ends with the error of its deadline, with that of the signal, or as it ends by itself", async () => {
  const late = (): Error => new Error("late");
  const forever = (signal: AbortSignal): Promise<never> => unlessAborted(new Promise(() => {}), signal);
  const { signal } = new AbortController();
  await assert.rejects(within(1, signal, late, forever), /^Error: late$/);
  await assert.rejects(within(1, undefined, late, forever), /^Error: late$/);
  await assert.rejects(within(60_000, AbortSignal.abort(new Error("over")), late, forever), /^Error: over$/);
  assert.equal(await within(60_000, signal, late, async () => "done"), "done");
  assert.equal(await within(0, signal, late, async (same) => same === signal), true);
});

test("a signal that outlives its waits keeps nothing of them", async () => {
  const connection = new AbortController();
  const wait = async (): Promise<void> => {
    for (let call = 0; call < 2000; call += 1) await unlessAborted(Promise.resolve({ call }), connection.signal);
  };
  await wait();
  const before = queryObjects(Promise, { format: "count" });
  await wait();
  assert.ok(queryObjects(Promise, { format: "count" }) - before < 100);
  assert.equal(getEventListeners(connection.signal, "abort").length, 0);
});
