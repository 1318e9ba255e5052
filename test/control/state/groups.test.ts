/** Groups of aggregate steps in the state store: what is durable, who may change them, what is taken over, and their bounds. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { JoiningMessage } from "../../../src/control/state/group-operations.ts";
import type { StateStore } from "../../../src/control/state/state-store.ts";
import { epochMs } from "../../support/clock.ts";
import { openStore } from "../../support/state/open-store.ts";

const orders = { flowId: "shop.orders", incarnation: 1 };
const name = "orders";
const message = (text: string): Uint8Array => Buffer.from(text);

function joins(group: string, messages: number, more: Partial<JoiningMessage> = {}): JoiningMessage {
  return { group, key: "=k", messages, deadline: 0, by: "", others: [], fingerprint: "f", ...more };
}

function append(store: StateStore, claimant: number, text: string, joining: JoiningMessage): Promise<string> {
  return store.groups.append(orders, name, claimant, joining, message(text));
}

async function opened(store: StateStore, claimant: number): Promise<unknown[]> {
  return JSON.parse(await store.groups.open(orders, name, claimant, "f")) as unknown[];
}

async function texts(store: StateStore, group: string, from = 0): Promise<string[]> {
  const bytes = Buffer.from(await store.groups.read(orders, name, [[group, from]]));
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    found.push(bytes.toString("utf8", at + 8, end));
    at = end;
  }
  return found;
}

test("an open group has its messages and its deadline after a restart", async (t) => {
  const { store, directory } = await openStore(t);
  assert.equal(await append(store, 1, "a", joins("g", 0)), "");
  assert.equal(await append(store, 1, "b", joins("g", 1, { deadline: 5000 })), "");
  await store.close();
  const again = (await openStore(t, { directory })).store;
  assert.deepEqual(await opened(again, 2), [["g", "=k", 2, 5000, "", 0]]);
  assert.deepEqual(await texts(again, "g"), ["a", "b"]);
  assert.deepEqual(await texts(again, "g", 1), ["b"]);
  const [repository] = await again.repositories.list(orders);
  assert.deepEqual([repository?.kind, repository?.keys], ["aggregation", 1]);
});

test("a group that another thread has changed is stale for the one that does not know it", async (t) => {
  const { store } = await openStore(t);
  await append(store, 1, "a", joins("g", 0));
  assert.equal(await append(store, 2, "b", joins("g", 1)), "");
  assert.equal(await append(store, 1, "c", joins("g", 1)), "stale");
  assert.equal(await append(store, 1, "c", joins("h", 0)), "stale", "a second group of the key");
  assert.equal(await store.groups.complete(orders, name, 1, [["g", 1, "timeout"]]), "stale");
  assert.equal(await store.groups.complete(orders, name, 2, [["g", 2, "timeout"]]), "");
  assert.equal(await append(store, 2, "d", joins("g", 2)), "stale", "it is complete");
  assert.deepEqual(await texts(store, "g"), ["a", "b"]);
});

test("a message completes its group and others at once, or none of them", async (t) => {
  const { store } = await openStore(t);
  await append(store, 1, "a", joins("g", 0));
  const ends = { key: "=other", by: "size", others: [["g", 7, "force"]] } as const;
  assert.equal(await append(store, 1, "b", joins("h", 0, ends)), "stale");
  assert.deepEqual(await opened(store, 1), [["g", "=k", 1, 0, "", 0]]);
  assert.equal(await append(store, 1, "b", joins("h", 0, { ...ends, others: [["g", 1, "force"]] })), "");
  assert.deepEqual(await opened(store, 2), []);
});

test("a completed group is taken over when its thread is gone, each time counted, until it is dropped", async (t) => {
  const { store, directory } = await openStore(t);
  await append(store, 1, "a", joins("g", 0, { by: "size" }));
  assert.deepEqual(await opened(store, 2), [], "thread 1 runs its steps");
  assert.deepEqual(await store.groups.abandon(orders, 1), [name]);
  assert.deepEqual(await opened(store, 2), [["g", "=k", 1, 0, "size", 1]]);
  assert.deepEqual(await opened(store, 3), []);
  await store.close();
  const again = (await openStore(t, { directory })).store;
  assert.deepEqual(await opened(again, 1), [["g", "=k", 1, 0, "size", 2]]);
  await again.groups.drop(orders, name, ["g"]);
  await again.groups.abandon(orders, 1);
  assert.deepEqual(await opened(again, 1), []);
  assert.deepEqual(
    (await again.repositories.list(orders)).map(({ keys, bytes }) => [keys, bytes]),
    [[0, 0]],
  );
});

test("the message of a completed group that failed is a failed message, and the group is gone", async (t) => {
  const { store } = await openStore(t);
  await append(store, 1, "a", joins("g", 0, { by: "size" }));
  const facts = { id: "m1", routeId: "r", revision: 1, at: epochMs(), runId: "run", trigger: "{}" };
  const content = { form: "{}", head: "", body: message("all"), alike: "" };
  const failure = { runId: "run", at: epochMs(), error: "{}", deadLetter: false };
  const added = await store.groups.fail(orders, name, "g", { ...facts, ...content }, failure);
  assert.deepEqual([added.id, added.count], ["m1", 1]);
  await store.groups.abandon(orders, 1);
  assert.deepEqual(await opened(store, 1), []);
  assert.equal((await store.failed.list(orders, {}, 9)).length, 1);
});

test("groups that another strategy has begun are counted, and are not opened", async (t) => {
  const { store } = await openStore(t);
  await append(store, 1, "a", joins("g", 0));
  assert.equal(await store.groups.foreign(orders, name, "f"), 0);
  assert.equal(await store.groups.foreign(orders, name, "other"), 1);
  await assert.rejects(store.groups.open(orders, name, 1, "other"), /DELETE \/_api\/flows\/shop.orders\/state\/orders/);
  assert.equal(await store.repositories.remove(orders, name), 1);
  assert.equal(await store.groups.open(orders, name, 1, "other"), "[]");
});

test("groups and their bytes count against the bounds of the flow", async (t) => {
  const { store } = await openStore(t, { stateKeys: 2, stateBytes: 3000 });
  await append(store, 1, "a", joins("g1", 0, { key: "=1" }));
  await append(store, 1, "a", joins("g2", 0, { key: "=2" }));
  await assert.rejects(append(store, 1, "a", joins("g3", 0, { key: "=3" })), { code: "limit", message: /stateKeys/ });
  assert.equal(await append(store, 1, "b".repeat(1000), joins("g2", 1, { key: "=2" })), "");
  const large = append(store, 1, "b".repeat(2000), joins("g2", 2, { key: "=2" }));
  await assert.rejects(large, { code: "limit", message: /stateBytes/ });
  await store.groups.drop(orders, name, ["g1"]);
  assert.equal(await append(store, 1, "a", joins("g3", 0, { key: "=3" })), "");
});

test("messages are encrypted with the data key, and read again with it", async (t) => {
  const dataKey = Buffer.alloc(32, 7);
  const { store, directory } = await openStore(t, { dataKey });
  await append(store, 1, "hidden words", joins("g", 0));
  assert.deepEqual(await texts(store, "g"), ["hidden words"]);
  await store.close();
  assert.equal((await readFile(join(directory, "shop.sqlite"))).includes("hidden words"), false);
});

test("an operator sees the keys of groups, and removes one", async (t) => {
  const { store } = await openStore(t);
  await append(store, 1, "a", joins("g1", 0, { key: "=1" }));
  await append(store, 1, "a", joins("g2", 0, { key: "=2" }));
  assert.deepEqual(
    (await store.repositories.keys(orders, name, "=", 9))?.map(({ key, run }) => [key, run]),
    [
      ["=1", ""],
      ["=2", ""],
    ],
  );
  assert.equal(await store.repositories.removeKey(orders, name, "=1"), 1);
  assert.deepEqual(await opened(store, 1), [["g2", "=2", 1, 0, "", 0]]);
  await store.owners.forget(orders);
  assert.deepEqual(await opened(store, 1), []);
});
