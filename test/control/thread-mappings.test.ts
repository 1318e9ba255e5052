/** What a thread is sent of mappings, and when it has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadMappings } from "../../src/control/threads/line/thread-line.ts";
import type { MappingData } from "../../src/shared/mapping.ts";

function mapping(id: string, revision: number): MappingData {
  return { kind: "value", id, revision, hash: `${id}${revision}`, data: new Uint8Array() };
}

test("only what is new for the thread is sent, and what is gone is named", () => {
  const thread = new ThreadMappings();
  thread.given([mapping("a", 1), mapping("b", 1)]);
  assert.equal(thread.update([mapping("a", 1), mapping("b", 1)]), undefined);
  const update = thread.update([mapping("a", 2), mapping("c", 1)]);
  assert.deepEqual(
    update?.changed.map(({ id, revision }) => [id, revision]),
    [
      ["a", 2],
      ["c", 1],
    ],
  );
  assert.deepEqual(update.gone, [{ kind: "value", id: "b" }]);
  assert.deepEqual(
    thread.versions.map(({ id, revision }) => [id, revision]),
    [
      ["a", 2],
      ["c", 1],
    ],
  );
});

test("who has nothing to send still waits for what another has sent", async () => {
  const thread = new ThreadMappings();
  assert.equal(thread.pending(), undefined);
  const first = thread.update([mapping("a", 1)]);
  const second = thread.update([mapping("a", 2)]);
  assert.equal(thread.update([mapping("a", 2)]), undefined);
  let over = false;
  const pending = thread.pending()?.then(() => {
    over = true;
  });
  thread.taken(first?.sequence ?? 0);
  await Promise.resolve();
  assert.equal(over, false);
  thread.taken(second?.sequence ?? 0);
  await pending;
  assert.equal(thread.pending(), undefined);
});

test("a thread that tells of what it was not sent does not keep to the protocol; nobody waits for one that is gone", async () => {
  const thread = new ThreadMappings();
  thread.update([mapping("a", 1)]);
  assert.throws(() => thread.taken(2), /was not sent/);
  const pending = thread.pending();
  thread.end();
  await pending;
});
