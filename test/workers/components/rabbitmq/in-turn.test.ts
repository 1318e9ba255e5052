/** Which consumer's messages run next, when several have some that wait. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { InTurn } from "../../../../src/workers/components/rabbitmq/in-turn.ts";
import type { RabbitTaken } from "../../../../src/workers/components/rabbitmq/taken.ts";

test("the consumer that has the fewest messages under way is next, and each keeps its order", () => {
  const [a, b] = ["a", "b"].map((name) => ({ name })) as [object, object];
  const message = (lane: object, name: string): RabbitTaken => ({ lane, name }) as unknown as RabbitTaken;
  const names = (messages: readonly unknown[]): readonly string[] =>
    messages.map((one) => (one as { readonly name: string }).name);
  const arrived = [message(a, "a1"), message(a, "a2"), message(a, "a3"), message(b, "b1"), message(b, "b2")];
  const inTurn = new InTurn();
  assert.deepEqual(names(inTurn.order(arrived)), ["a1", "b1", "a2", "b2", "a3"]);
  for (const one of arrived.slice(0, 2)) inTurn.taken(one);
  assert.deepEqual(names(inTurn.order(arrived.slice(2))), ["b1", "b2", "a3"]);
  for (const one of arrived.slice(0, 2)) inTurn.settled(one);
  assert.deepEqual(names(inTurn.order(arrived.slice(2))), ["a3", "b1", "b2"]);
});
