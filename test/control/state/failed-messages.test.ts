/** Failed messages in the state store: their states, repeats, bounds and encryption, and what a restart makes of them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { MessageFailure, NewMessage } from "../../../src/control/state/failed-operations.ts";
import { epochMs } from "../../support/clock.ts";
import { openStore } from "../../support/state/open-store.ts";

const orders = { flowId: "shop.orders", incarnation: 1 };
let made = 0;

function message(change: Partial<NewMessage> = {}): NewMessage {
  made += 1;
  const id = change.id ?? `m${made}`;
  const plain = {
    routeId: "in",
    revision: 3,
    at: epochMs(),
    runId: `run-${id}`,
    trigger: "{}",
    form: "{}",
    head: "h",
  };
  return { ...plain, body: `body of ${id}`, alike: "", ...change, id };
}

function failure(change: Partial<MessageFailure> = {}): MessageFailure {
  return { runId: "again", at: epochMs(), error: '{"type":"x"}', deadLetter: false, ...change };
}

test("a message that was accepted waits after a restart, unless its run had ended well", async (t) => {
  const { store, directory } = await openStore(t);
  await store.failed.accept(orders, message({ id: "lost", body: Uint8Array.of(0, 255) }));
  await store.failed.accept(orders, message({ id: "fine" }));
  await store.failed.done(orders, "fine");
  assert.deepEqual(
    (await store.failed.list(orders, {}, 10)).map(({ id, state }) => [id, state]),
    [["lost", "retrying"]],
  );
  await store.close();
  const again = (await openStore(t, { directory })).store;
  const [lost, ...others] = await again.failed.list(orders, {}, 10);
  assert.equal(others.length, 0);
  assert.deepEqual([lost?.id, lost?.state, lost?.attempts], ["lost", "waiting", 1]);
  assert.match(lost?.error ?? "", /RunLostException/);
  const begun = await again.failed.begin(orders, "lost", "second");
  assert.ok(typeof begun === "object");
  assert.deepEqual([begun.head, [...(begun.body as Uint8Array)], begun.runs], ["h", [0, 255], ["run-lost"]]);
});

test("a retry is one at a time, counts when it fails, and leaves no content when it succeeds", async (t) => {
  const { store } = await openStore(t);
  await store.failed.add(orders, message({ id: "a" }), failure());
  assert.ok(typeof (await store.failed.begin(orders, "a", "r2")) === "object");
  assert.equal(await store.failed.begin(orders, "a", "r3"), "busy");
  await store.failed.failed(orders, "a", failure({ error: '{"type":"y"}', runId: "r2" }));
  const [waiting] = await store.failed.list(orders, {}, 10);
  assert.deepEqual([waiting?.state, waiting?.attempts, waiting?.error], ["waiting", 2, '{"type":"y"}']);
  const begun = await store.failed.begin(orders, "a", "r3");
  assert.deepEqual(typeof begun === "object" && begun.runs, ["run-a", "r2"]);
  await store.failed.done(orders, "a");
  const kept = await store.failed.get(orders, "a");
  assert.deepEqual([kept?.state, kept?.body], ["retried", null]);
  assert.equal(await store.failed.begin(orders, "a", "r4"), undefined);
});

test("equal messages with the same error are one entry with a count, other errors and messages are not", async (t) => {
  const { store } = await openStore(t);
  const same = { body: "same", alike: "x" };
  const first = await store.failed.add(orders, message({ id: "first", ...same }), failure());
  assert.deepEqual(await store.failed.add(orders, message(same), failure({ runId: "latest" })), { ...first, count: 2 });
  await store.failed.accept(orders, message({ id: "async", ...same }));
  assert.equal((await store.failed.failed(orders, "async", failure()))?.id, "first");
  await store.failed.add(orders, message({ ...same, alike: "y" }), failure());
  await store.failed.add(orders, message(same), failure({ error: '{"type":"other"}' }));
  await store.failed.add(orders, message(same), failure({ deadLetter: true }));
  await store.failed.add(orders, message({ ...same, routeId: "other" }), failure());
  const counts = (await store.failed.list(orders, {}, 10)).map(({ count }) => count);
  assert.deepEqual(counts.sort(), [1, 1, 1, 1, 3]);
});

test("beyond its bounds a flow loses the oldest of its largest route, what is over first and what is under way never", async (t) => {
  const { store } = await openStore(t, { failedMessages: 4 });
  await store.failed.accept(orders, message({ id: "under-way", at: 1, body: "x".repeat(50_000) }));
  for (const [id, routeId, at, size] of [
    ["big-1", "big", 2, 5000],
    ["big-2", "big", 3, 5000],
    ["small", "small", 1, 10],
    ["over", "small", 4, 10],
  ] as const)
    await store.failed.add(
      orders,
      message({ id, routeId, at: epochMs() + at, body: "x".repeat(size) + id }),
      failure({ at: epochMs() + at }),
    );
  assert.equal(await store.failed.discard(orders, { ids: ["over"] }), 1);
  const ids = async (): Promise<string[]> => (await store.failed.list(orders, {}, 10)).map(({ id }) => id).sort();
  assert.deepEqual((await store.failed.add(orders, message({ id: "n1" }), failure())).evicted, []);
  assert.deepEqual(await ids(), ["big-1", "big-2", "n1", "small", "under-way"]);
  const { evicted } = await store.failed.add(orders, message({ id: "n2" }), failure());
  assert.deepEqual(evicted, [{ routeId: "big", messages: 1 }]);
  assert.deepEqual(await ids(), ["big-2", "n1", "n2", "small", "under-way"]);
  await store.failed.tidy(orders, 3 * 600);
  assert.ok(!(await ids()).includes("big-2"));
});

test("a message is kept for so long as the limit says", async (t) => {
  const { store } = await openStore(t, { failedKeptMs: 60_000 });
  await store.failed.add(orders, message({ id: "old" }), failure({ at: epochMs() }));
  await store.failed.add(orders, message({ id: "older", at: 5 }), failure({ at: 5 }));
  await store.failed.tidy(orders, undefined);
  assert.deepEqual(
    (await store.failed.list(orders, {}, 10)).map(({ id }) => id),
    ["old"],
  );
});

test("filters choose by route, state, time and id", async (t) => {
  const { store } = await openStore(t);
  const now = epochMs();
  for (const [id, routeId, at] of [
    ["a", "x", 1000],
    ["b", "y", 2000],
    ["c", "y", 3000],
  ] as const)
    await store.failed.add(orders, message({ id, routeId, at: now + at }), failure({ at: now + at }));
  await store.failed.discard(orders, { ids: ["c"] });
  const ids = async (filter: object): Promise<string[]> =>
    (await store.failed.list(orders, filter, 10)).map(({ id }) => id);
  assert.deepEqual(await ids({}), ["c", "b", "a"]);
  assert.deepEqual(await ids({ routeId: "y" }), ["c", "b"]);
  assert.deepEqual(await ids({ state: "waiting" }), ["b", "a"]);
  assert.deepEqual(await ids({ since: now + 1500, before: now + 2500 }), ["b"]);
  assert.deepEqual(await store.failed.waiting(orders, { ids: ["a", "c", "none"] }), ["a"]);
  const { waiting, retrying, oldest } = await store.failed.totals(orders);
  assert.deepEqual([waiting, retrying, oldest !== undefined], [2, 0, true]);
});

test("a flow that is made again does not see older messages, and a flow that is gone leaves none", async (t) => {
  const { store } = await openStore(t);
  await store.failed.add(orders, message({ id: "a" }), failure());
  assert.deepEqual(await store.failed.list({ ...orders, incarnation: 2 }, {}, 10), []);
  assert.equal(await store.failed.get({ ...orders, incarnation: 2 }, "a"), undefined);
  await store.owners.forget(orders);
  assert.deepEqual(await store.failed.list(orders, {}, 10), []);
});

test("nothing of a message is readable in the file, and another key reads nothing", async (t) => {
  const dataKey = Buffer.alloc(32, 7);
  const { store, directory } = await openStore(t, { dataKey });
  await store.failed.add(orders, message({ id: "a", head: "hush-head", body: "hush-body" }), failure());
  await store.close();
  const file = await readFile(join(directory, "shop.sqlite"), "latin1");
  assert.ok(file.includes("run-a") && !file.includes("hush"));
  const right = (await openStore(t, { directory, dataKey })).store;
  assert.equal(String((await right.failed.get(orders, "a"))?.body), "hush-body");
  await right.close();
  const wrong = (await openStore(t, { directory, dataKey: Buffer.alloc(32, 8) })).store;
  await assert.rejects(wrong.failed.get(orders, "a"), /another key.*DATA_KEY, or data\.key/);
  assert.equal((await wrong.failed.list(orders, {}, 10)).length, 1);
  await wrong.close();
});
