/** The time before a redelivery (Camel: RedeliveryPolicy.calculateRedeliveryDelay). */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { noRedelivery, redeliveryDelay, redeliveryPolicy } from "../../../src/workers/engine/redelivery.ts";

test("useCollisionAvoidance moves a delay by at most its factor, to both sides", () => {
  const policyOf = (redelivery: number, factor: number) =>
    redeliveryPolicy(
      { redeliveryDelay: redelivery, useCollisionAvoidance: true, collisionAvoidanceFactor: String(factor) },
      noRedelivery,
    );
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 0, max: 100 }), (delay, percent) => {
      const actual = redeliveryDelay(policyOf(delay, percent / 100), 1, 0);
      return Math.abs(actual - delay) <= Math.round((delay * percent) / 100);
    }),
  );
  const seen = Array.from({ length: 200 }, () => redeliveryDelay(policyOf(10_000, 0.5), 1, 0));
  assert.ok(Math.min(...seen) < 10_000 && Math.max(...seen) > 10_000);
  assert.equal(redeliveryDelay(redeliveryPolicy({ redeliveryDelay: 10_000 }, noRedelivery), 1, 0), 10_000);
});
