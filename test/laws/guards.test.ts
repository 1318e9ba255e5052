/**
 * The storm of guards takes each guard away by its text. A row whose text is not in its file, or is there twice, would take away nothing, or
 * something else.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { allGuards } from "../storms/support/guards/all-guards.ts";

test("each guard's text stands in its file once, and its tests are there", () => {
  assert.ok(allGuards.length > 80);
  for (const { name, file, from, suite } of allGuards) {
    assert.equal(readFileSync(file, "utf8").split(from).length - 1, 1, `${name}: ${file} has its text once`);
    for (const test of suite) assert.ok(existsSync(test), `${name}: ${test}`);
  }
});
