/** Random flows: every edit at every step reads as the same edit of plain data, and loses no comment of what stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { allSteps, parse, tree } from "../../../designer/web/src/model/index.ts";
import { everyEdit, newTally } from "./support/every-edit.ts";
import { randomFlow } from "./support/random-flow.ts";

test("every edit of a random flow reads as the same edit of plain data", () => {
  fc.assert(
    fc.property(randomFlow(), (text) => {
      const flow = parse(text);
      assert.deepEqual(flow.errors, [], text);
      assert.ok(allSteps(tree(flow)).length > 0, text);
      const tally = newTally();
      everyEdit(text, "random", tally);
      assert.deepEqual(tally.failures, []);
    }),
    { numRuns: Number(process.env["RUNS"] ?? 60) },
  );
});
