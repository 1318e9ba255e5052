/** What the parts of a flow are told of its beginning and its end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { FlowLife, noPort } from "../../../src/workers/compile/flow-life.ts";
import type { AnnouncePort } from "../../../src/workers/engine/flow-scope.ts";
import type { Offer, Source } from "../../../src/workers/engine/source.ts";
import { turn } from "../../support/clock.ts";

const uncounted = (): void => {};

function aLife(): { readonly life: FlowLife; readonly told: string[] } {
  const told: string[] = [];
  const port: AnnouncePort = { ...noPort, log: (level, _logger, message) => told.push(`${level} ${message}`) };
  return { life: new FlowLife(port, defaultLimits), told };
}

function addSource(life: FlowLife, index: number, told: string[], closed = Promise.resolve()): void {
  const offer: Offer = Object.assign(() => Promise.reject(new Error("unused")), { free: 1, ready: async () => {} });
  const source: Source = {
    credits: 1,
    start: (given) => void told.push(given === offer ? `start ${index}` : "another offer"),
    pause: () => void told.push(`pause ${index}`),
    stop() {
      told.push(`stop ${index}`);
      return closed.then(() => void told.push(`stopped ${index}`));
    },
  };
  life.addSource(index, source, offer);
}

test("a source is started and paused with its route, each once, and stopped when the flow ends, never to start again", () => {
  const { life, told } = aLife();
  for (const index of [0, 1]) addSource(life, index, told);
  life.serve("10");
  assert.deepEqual(told.splice(0), ["start 0"]);
  life.serve("11");
  life.serve("11");
  assert.deepEqual(told.splice(0), ["start 1"]);
  life.serve("01");
  assert.deepEqual(told.splice(0), ["pause 0"]);
  life.halt();
  life.halt();
  life.serve("10");
  assert.deepEqual(told, ["stop 0", "stop 1", "pause 1"]);
});

test("the end of a flow waits until its sources have stopped", async () => {
  const { life, told } = aLife();
  const closed = Promise.withResolvers<void>();
  addSource(life, 0, told, closed.promise);
  life.serve("1");
  life.halt();
  const finished = life.finish().then(() => told.push("finished"));
  closed.resolve();
  await finished;
  assert.deepEqual(told, ["start 0", "stop 0", "stopped 0", "finished"]);
});

test("a route runs until something else is said", () => {
  const { life } = aLife();
  assert.equal(life.runs(1), true);
  life.serve("10");
  assert.deepEqual([life.runs(0), life.runs(1)], [true, false]);
});

test("the end of a flow waits for what its parts finish, and a part that fails keeps no other from it", async () => {
  const { life, told } = aLife();
  const scope = life.scope(0, uncounted);
  const kept = Promise.withResolvers<void>();
  scope.atHalt(() => {
    throw new Error("broken");
  });
  scope.atHalt(() => told.push("halted"));
  scope.atEnd(() => Promise.reject(new Error("lost")));
  scope.atEnd(() => kept.promise.then(() => void told.push("kept")));
  life.halt();
  assert.deepEqual(told.splice(0), ["ERROR a part of the flow failed at its start or end: broken", "halted"]);
  const finished = life.finish().then(() => told.push("finished"));
  kept.resolve();
  await finished;
  assert.deepEqual(told, ["ERROR a part of the flow failed at its start or end: lost", "kept", "finished"]);
});

test("what control has to know of a flow is said while it is compiled", () => {
  const { life } = aLife();
  const scope = life.scope(0, uncounted);
  assert.equal(life.wanted, false);
  assert.equal(
    scope.shared("a", () => 1),
    1,
  );
  scope.atEnd(() => {});
  life.seal();
  assert.equal(life.wanted, true);
  assert.equal(
    scope.shared("a", () => 2),
    1,
  );
  assert.throws(() => scope.shared("b", () => 1), /no endpoint that is written in the flow keeps b/);
  assert.throws(() => scope.atHalt(() => {}), /while the flow is compiled/);
});

test("an announcement that finds no place is a rejection that nobody need listen to", async () => {
  const { life } = aLife();
  const work = { cause: "aggregate", uri: "x", parent: undefined, exchange: neverMade, process() {} } as const;
  await assert.rejects(life.scope(0, uncounted).announce(work), /has no runs/);
  void life.scope(0, uncounted).announce(work);
  await turn();
});

function neverMade(): never {
  throw new Error("it was made");
}
