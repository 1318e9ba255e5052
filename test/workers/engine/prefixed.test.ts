/** Parameters with a prefix come into one option, and are read back from it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { prefixedPairs, prefixOf, withPrefixed } from "../../../src/workers/engine/prefixed.ts";

test("a parameter belongs to the option of its prefix, and to none without one", () => {
  const prefixed = { "arg.": "args" };
  assert.deepEqual(prefixOf(prefixed, "arg.queue.durable"), { prefix: "arg.", option: "args" });
  for (const name of ["arg.", "args", "queue"]) assert.equal(prefixOf(prefixed, name), undefined);
  assert.equal(prefixOf(undefined, "arg.queue.durable"), undefined);
});

test("what is collected is read back, and a value stays in its line", () => {
  const text = withPrefixed(withPrefixed(undefined, "queue.x-message-ttl", "60000"), "queue.note", "a=b\nc");
  assert.deepEqual(prefixedPairs(text), [
    ["queue.x-message-ttl", "60000"],
    ["queue.note", "a=b c"],
  ]);
  assert.deepEqual(prefixedPairs(undefined), []);
  assert.throws(() => prefixedPairs("durable"), /name=value/);
});
