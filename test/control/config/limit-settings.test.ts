/** What a flow's own `limits` may say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../../src/control/config.ts";
import { AppError } from "../../../src/shared/errors.ts";
import { flowLimits, type StoredLimits } from "../../../src/shared/flow-limits.ts";

const { limits: base, ceilings } = readConfig({ LIMIT_QUEUE: "50", LIMIT_THREADS_CEILING: "4" });

function refused(overrides: StoredLimits, code: string, message: RegExp): void {
  assert.throws(
    () => flowLimits(base, overrides, ceilings),
    (error) => {
      assert.ok(error instanceof AppError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.ok(Buffer.byteLength(error.message) < 1000);
      return true;
    },
  );
}

test("a flow without limits has the runtime's, and records errors", () => {
  const own = { limits: base, record: "errors", isolation: "thread", logHandled: true, keepFailed: true };
  assert.deepEqual(flowLimits(base, {}, ceilings), own);
});

test("a flow's limits go over the runtime's, up to the ceiling", () => {
  const { limits, record } = flowLimits(base, { threads: 4, queue: 100_000, record: "off" }, ceilings);
  assert.deepEqual(limits, { ...base, threads: 4, queue: 100_000 });
  assert.equal(record, "off");
  assert.equal(base.queue, 50);
});

test("what a flow may not set is refused, with the name and what is allowed", () => {
  refused({ threads: 5 }, "limit_not_allowed", /limits.threads: 5 is over the 4/);
  refused({ threads: 2 ** 53 }, "limit_not_allowed", /limits.threads: 9007199254740992 is over the 4/);
  refused(
    { tread: 5 },
    "limit_not_allowed",
    /limits.tread is unknown \(did you mean 'threads'\?\); .*webhookWallMs.*, record, isolation and logHandled/,
  );
  refused(Object.fromEntries([["toString", 5]]), "limit_not_allowed", /limits.toString is unknown/);
  refused({ ["x".repeat(1_000_000)]: 5 }, "limit_not_allowed", /is unknown/);
  refused({ streamRing: 5 }, "limit_not_allowed", /limits.streamRing is set by the operator \(LIMIT_STREAM_RING\)/);
  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5"]) {
    refused({ threads: value }, "limit_not_allowed", /limits.threads must be a whole number/);
  }
});

test("logHandled is true or false", () => {
  assert.equal(flowLimits(base, { logHandled: false }, ceilings).logHandled, false);
  for (const logHandled of ["false", 0])
    refused({ logHandled }, "limit_not_allowed", /logHandled must be true or false/);
});

test("record is off, errors or all", () => {
  for (const record of ["off", "errors", "all"]) assert.equal(flowLimits(base, { record }, ceilings).record, record);
  assert.equal(flowLimits(base, {}, ceilings).record, "errors");
  refused({ record: "some" }, "limit_not_allowed", /'off', 'errors' or 'all'/);
  refused({ record: 1 }, "limit_not_allowed", /'off', 'errors' or 'all'/);
});
