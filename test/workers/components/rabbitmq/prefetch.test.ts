/** How many messages RabbitMQ may send a consumer ahead, by the sizes of those that have come. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Prefetch } from "../../../../src/workers/components/rabbitmq/prefetch.ts";

test("the window opens behind 16 small messages in a row, and closes with a large one", () => {
  const prefetch = new Prefetch(32);
  const small = Array.from({ length: 15 }, () => 1000);
  const changes = (sizes: readonly number[]): unknown[] =>
    sizes.map((bytes) => prefetch.after(bytes)).filter((most) => most !== undefined);
  assert.deepEqual(changes([...small, 40_000]), []);
  assert.deepEqual(changes(small), []);
  assert.deepEqual(changes([32_768]), [32]);
  assert.deepEqual(changes([...small, 32_769, 1_000_000]), [1]);
  assert.deepEqual(changes([...small, 1]), [32]);
});

test("a window of 1 stays", () => {
  const prefetch = new Prefetch(1);
  for (const bytes of Array.from({ length: 40 }, (_, at) => at * 100_000))
    assert.equal(prefetch.after(bytes), undefined);
});
