/** Deliveries that are counted in the state store: which message is given up after threads were lost, and which are not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateKey } from "../../../src/shared/state.ts";
import { Deliveries, mostDeliveries } from "../../../src/workers/engine/deliveries.ts";
import type { SourceContext } from "../../../src/workers/engine/source.ts";
import { turn } from "../../support/clock.ts";
import { valuesOnly } from "../../support/state/values-only.ts";

/** A state store, and a source's context for each life of its thread. */
function stateStore() {
  const { port, keys, state } = valuesOnly();
  const log: string[] = [];
  const context = {
    routeId: "r",
    state: () => port,
    log: (...[, , message]: string[]) => void log.push(String(message)),
  } as unknown as SourceContext;
  const life = (): Deliveries => new Deliveries(context, { scheme: "kafka", word: "record" });
  return { keys, log, state, life };
}

/** Resolves when all microtasks that the call causes are through; then it is known whether it waits for its turn. */
async function started<T>(call: Promise<T>): Promise<{ readonly settled: boolean }> {
  const seen = { settled: false };
  void call.then(
    () => (seen.settled = true),
    () => (seen.settled = true),
  );
  await turn();
  return seen;
}

test("nothing is written for a message while threads end in order", async () => {
  const { keys, log, state, life } = stateStore();
  const first = life();
  await Promise.all([first.begin(), first.begin()]);
  assert.equal(keys.size, 1);
  assert.equal(await first.count("a"), 1);
  await first.forget("a", 1);
  await first.end();
  assert.deepEqual([keys.size, state.writes], [0, 2]);
  const second = life();
  await second.begin();
  assert.equal(await second.count("a"), 1);
  assert.deepEqual(log, []);
});

test("of messages that were under way together, the one that ends each thread is given up at its fifth delivery, and the others at none", async () => {
  const { keys, life } = stateStore();
  const left = new Set(["a", "b", "poison", "c", "d"]);
  const deliveries: number[] = [];
  while (left.size > 0) {
    const source = life();
    await source.begin();
    const under = new Map<string, number>();
    for (const key of left) void source.count(key).then((delivery) => under.set(key, delivery));
    let isLost = false;
    while (left.size > 0 && !isLost) {
      // All that may run together has begun. When the poison is among them, its run ends the thread before others have ended.
      await started(Promise.resolve());
      const delivery = under.get("poison");
      if (delivery !== undefined) deliveries.push(delivery);
      isLost = delivery !== undefined && delivery < mostDeliveries;
      for (const [key, number] of isLost ? [] : under) {
        if (key !== "poison") assert.ok(number <= 3, `${key} has ${number}`);
        under.delete(key);
        left.delete(key);
        await source.forget(key, number);
      }
    }
    if (isLost) continue;
    await source.calm();
    await source.end();
  }
  assert.deepEqual(deliveries, [1, 2, 3, 4, 5]);
  assert.equal(keys.size, 0);
});

test("a message with a note runs alone, in the order in which they were counted", async () => {
  const { life } = stateStore();
  const lost = life();
  await lost.begin();
  const noting = life();
  await noting.begin();
  for (const key of ["a", "b"]) assert.equal(await noting.count(key), 2);
  const source = life();
  await source.begin();
  assert.equal(await source.count("new"), 1);
  const a = source.count("a");
  const b = source.count("b");
  const other = source.count("other");
  assert.equal((await started(a)).settled, false);
  await source.forget("new", 1);
  assert.equal(await a, 3);
  assert.equal((await started(b)).settled, false);
  await source.forget("a", 3);
  assert.equal(await b, 3);
  assert.equal((await started(other)).settled, false);
  await source.forget("b", 3);
  assert.equal(await other, 1);
});

test("notes of messages that are under way when all is calm go with them, and equal messages share theirs", async () => {
  const { keys, life } = stateStore();
  await life().begin();
  const source = life();
  await source.begin();
  const [one, same] = [await source.count("a"), await source.count("a")];
  assert.deepEqual([one, same], [2, 2]);
  await source.calm();
  assert.equal(await source.count("b"), 1);
  await source.forget("b", 1);
  await source.forget("a", one);
  assert.equal(keys.get(stateKey("a deliveries")), "2");
  await source.forget("a", same);
  await source.end();
  assert.equal(keys.size, 0);
});

test("a state store that does not answer fails the delivery, and holds nobody back afterwards", async () => {
  const { state, life } = stateStore();
  state.fails = true;
  await assert.rejects(life().begin(), /not there/);
  state.fails = false;
  await life().begin();
  const source = life();
  await source.begin();
  assert.equal(await source.count("a"), 2);
  state.fails = true;
  await assert.rejects(source.count("b"), /not there/);
  await assert.rejects(source.forget("a", 2), /not there/);
  state.fails = false;
  assert.equal(await source.count("a"), 3);
  await source.forget("a", 3);
  assert.equal(await source.count("b"), 2);
});

/** What an older runtime has left that was counting: its marks, and the deliveries of messages, each a key without a value. */
function olderNotes(keys: Map<string, string>, noted: Readonly<Record<string, number>>): void {
  for (const key of ["the source runs", "messages are counted"]) keys.set(stateKey(key), "");
  for (const [key, most] of Object.entries(noted)) {
    for (let delivery = 1; delivery <= most; delivery += 1) keys.set(stateKey(`${key} ${delivery}`), "");
  }
}

test("what an older runtime has counted goes on, for keys that are digests too, and nothing of it is left", async () => {
  const { keys, life } = stateStore();
  const long = "x".repeat(300);
  olderNotes(keys, { a: 3, [long]: 2 });
  const source = life();
  await source.begin();
  assert.equal(source.careful, true);
  assert.equal(await source.count("a"), 4);
  await source.forget("a", 4);
  assert.equal(await source.count(long), 3);
  await source.forget(long, 3);
  assert.equal(await source.count("new"), 1);
  await source.forget("new", 1);
  await source.calm();
  assert.deepEqual([...keys], [[stateKey("the source runs"), "running"]]);
});

test("after losses in between, too: each message has one note, and those that did not come again have their older ones", async () => {
  const { keys, life } = stateStore();
  olderNotes(keys, { a: 2, b: 3 });
  const first = life();
  await first.begin();
  assert.equal(await first.count("a"), 3);
  assert.equal(keys.get(stateKey("a deliveries")), "3");
  assert.equal(keys.has(stateKey("a 1")), false);
  const second = life();
  await second.begin();
  assert.equal(await second.count("a"), 4);
  await second.forget("a", 4);
  assert.equal(await second.count("b"), 4);
  const third = life();
  await third.begin();
  assert.equal(await third.count("b"), 5);
  await third.forget("b", 5);
  await third.calm();
  await third.end();
  assert.equal(keys.size, 0);
});

test("a loss between the new note and the removal of the older ones counts once", async () => {
  const { keys, life } = stateStore();
  olderNotes(keys, { a: 3 });
  keys.set(stateKey("a deliveries"), "3");
  const source = life();
  await source.begin();
  assert.equal(await source.count("a"), 4);
  await source.forget("a", 4);
  assert.equal(await source.count("a"), 1);
});

test("an older runtime that was lost before it counted has one delivery of each behind it", async () => {
  const { keys, life } = stateStore();
  keys.set(stateKey("the source runs"), "");
  const source = life();
  await source.begin();
  assert.equal(await source.count("a"), 2);
  assert.equal(keys.get(stateKey("the source runs")), "counting");
});

test("a message may be called as the marks are", async () => {
  const { life } = stateStore();
  await life().begin();
  const source = life();
  await source.begin();
  for (const key of ["the source runs", "messages are counted", "a 1", "a"]) {
    assert.equal(await source.count(key), 2);
    await source.forget(key, 2);
  }
  assert.equal(await life().begin(), undefined);
});

test("the log and the failure name the messages as the component does", async () => {
  const { log, life } = stateStore();
  await life().begin();
  const source = life();
  await source.begin();
  assert.deepEqual(log, ["'r' was ended in the middle: each record is counted until none is left"]);
  assert.match(source.tooOften("t/0/7").message, /^the record t\/0\/7 was under way each time/);
});

test("of a server that marks what it delivers again, a first delivery needs no note, and is never counted for more", async () => {
  const { keys, life } = stateStore();
  await life().begin();
  const deliveries: number[] = [];
  for (let times = 0; times < mostDeliveries; times++) {
    const source = life();
    await source.begin();
    const before = keys.size;
    assert.equal(await source.count(`other ${times}`, 0), 1);
    await source.forget(`other ${times}`, 1);
    assert.ok(keys.size <= before + 1);
    deliveries.push(await source.count("poison", times === 0 ? 0 : 1));
  }
  assert.deepEqual(deliveries, [1, 2, 3, 4, 5]);
});
