/** Ids of flows are the same to the designer and to the runtime. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { flowIdProblem } from "../../../designer/shared/ids.ts";
import * as runtime from "../../../src/shared/ids.ts";

test("what is an id to the runtime is one to the designer, and nothing else", () => {
  const near = fc.string({ unit: fc.constantFrom(..."aZ0._-/ é"), maxLength: 8 });
  const named = fc.constantFrom(
    "nul",
    "COM1",
    "lpt9.x",
    "a.flow",
    "x.FLOW",
    "a..b",
    "a.",
    "a".repeat(128),
    "a".repeat(129),
  );
  void fc.assert(
    fc.property(fc.oneof(near, named), (id) =>
      assert.equal(flowIdProblem(id) === undefined, runtime.flowIdProblem(id) === undefined, id),
    ),
    { numRuns: 500 },
  );
});
