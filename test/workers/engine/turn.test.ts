/** The order in which runs of a lane begin and end, and what becomes of those behind one that fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Turn, Turns, Withdrawn } from "../../../src/workers/engine/attended/turn.ts";
import { turn as nextTurn } from "../../support/clock.ts";

/** What a run does: turns of the event loop before its last step, and what becomes of that. */
interface Plan {
  readonly works: number;
  readonly answers: number;
  readonly ends: "unsent" | "fails before" | "confirmed" | "refused";
  /** A run that fails goes back to its server. */
  readonly returns: boolean;
}

interface Seen {
  readonly begun: number[];
  /** Which had not handed on what they send, and were not over, when a run began: none of those before it may be. */
  readonly early: [begins: number, before: number][];
  readonly ended: [at: number, outcome: "done" | "failed" | "lost"][];
}

async function ticks(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await nextTurn();
}

async function runAll(plans: readonly Plan[]): Promise<Seen> {
  const seen: Seen = { begun: [], early: [], ended: [] };
  const turns = new Turns();
  /** Messages that are over, and those that are handed on. */
  const free = new Set<number>();
  let last: Turn | undefined;
  const work = plans.map((plan, at) => {
    const own = new Turn(turns, last);
    last = own;
    return runOne(plan, at, own);
  });
  await Promise.all(work);
  return seen;

  async function runOne({ works, answers, ends, returns }: Plan, at: number, own: Turn): Promise<void> {
    for (;;) {
      try {
        await own.begin();
        seen.begun.push(at);
        for (let before = 0; before < at; before++) if (!free.has(before)) seen.early.push([at, before]);
        await ticks(works);
        if (ends === "fails before") throw new Error("no");
        if (ends !== "unsent") {
          free.add(at);
          own.handOver();
          const answer = ticks(answers).then(() => {
            if (ends === "refused") throw new Error("no");
          });
          await own.inOrder(answer);
        }
        return end("done", at, own, false);
      } catch (error) {
        if (!(error instanceof Withdrawn)) return end("failed", at, own, returns);
        free.delete(at);
        own.reset();
        if (own.mustReturn) return end("lost", at, own, true);
      }
    }
  }

  function end(outcome: "done" | "failed" | "lost", at: number, own: Turn, returns: boolean): void {
    free.add(at);
    seen.ended.push([at, outcome]);
    own.end({ fails: outcome === "failed", returns });
    own.leave();
  }
}

const plan = fc.record({
  works: fc.nat(3),
  answers: fc.nat(6),
  ends: fc.constantFrom<Plan["ends"]>("unsent", "fails before", "confirmed", "confirmed", "refused"),
  returns: fc.boolean(),
});

test("a run begins when those before it are over or have handed on what they send, and each message ends once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      const { early, ended } = await runAll(plans);
      assert.deepEqual(early, []);
      assert.deepEqual(
        ended.map(([at]) => at).toSorted((a, b) => a - b),
        [...plans.keys()],
      );
    }),
  );
});

test("runs whose sends are confirmed in another order end in their own", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(8), { minLength: 2, maxLength: 10 }), async (answers) => {
      const plans = answers.map((ms): Plan => ({ works: 0, answers: ms, ends: "confirmed", returns: false }));
      const { begun, ended } = await runAll(plans);
      assert.deepEqual(begun, [...plans.keys()]);
      assert.deepEqual(
        ended,
        [...plans.keys()].map((at) => [at, "done"]),
      );
    }),
  );
});

test("behind a send that is refused all run again, and in their order; those ahead do not", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(4), fc.integer({ min: 1, max: 5 }), async (ahead, behind) => {
      const confirmed: Plan = { works: 0, answers: 3, ends: "confirmed", returns: false };
      const plans = Array.from({ length: ahead + 1 + behind }, () => confirmed);
      plans[ahead] = { ...confirmed, ends: "refused" };
      const { begun, ended } = await runAll(plans);
      const again = [...plans.keys()].slice(ahead + 1);
      assert.deepEqual(begun, [...plans.keys(), ...again]);
      assert.deepEqual(
        ended,
        [...plans.keys()].map((at) => [at, at === ahead ? "failed" : "done"]),
      );
    }),
  );
});

test("behind one that goes back to its server all go back", async () => {
  const confirmed: Plan = { works: 0, answers: 3, ends: "confirmed", returns: false };
  const { ended } = await runAll([confirmed, { ...confirmed, ends: "refused", returns: true }, confirmed, confirmed]);
  assert.deepEqual(ended, [
    [0, "done"],
    [1, "failed"],
    [2, "lost"],
    [3, "lost"],
  ]);
});

test("once a send has failed no run behind it begins, and one that has not handed on its message is stopped", async () => {
  const turns = new Turns();
  const first = new Turn(turns, undefined);
  const second = new Turn(turns, first);
  const third = new Turn(turns, second);
  let isStopped = false;
  second.watch(() => {
    isStopped = true;
  });
  assert.equal(first.begin(), undefined);
  first.handOver();
  assert.equal(second.begin(), undefined);
  await assert.rejects(first.inOrder(Promise.reject(new Error("refused"))), /refused/);
  assert.equal(isStopped, true);
  second.handOver();
  let hasBegun = false;
  const begins = Promise.resolve(third.begin()).then(() => {
    hasBegun = true;
  });
  await nextTurn();
  assert.equal(hasBegun, false);
  first.end({ fails: true, returns: false });
  second.reset();
  assert.equal(second.begin(), undefined);
  second.end({ fails: false, returns: false });
  await begins;
});

test("what is taken while one ahead of it is on its way back goes back too", () => {
  const turns = new Turns();
  const first = new Turn(turns, undefined);
  assert.equal(first.begin(), undefined);
  first.end({ fails: true, returns: true });
  const second = new Turn(turns, first);
  const third = new Turn(turns, second);
  for (const turn of [second, third]) {
    assert.equal(turn.mustReturn, true);
    assert.throws(() => turn.begin(), Withdrawn);
    turn.end({ fails: false, returns: true });
  }
  for (const turn of [first, second, third]) turn.leave();
  const again = new Turn(turns, third);
  assert.equal(again.mustReturn, false);
  assert.equal(again.begin(), undefined);
});

test("a run that must end does not wait for its turn, nor for those ahead of it", async () => {
  const turns = new Turns();
  const first = new Turn(turns, undefined);
  const [second, third] = [new Turn(turns, first), new Turn(turns, first)];
  assert.equal(first.begin(), undefined);
  const waits = Promise.resolve(second.begin());
  second.abandon();
  await assert.rejects(waits, Withdrawn);
  first.handOver();
  assert.equal(third.begin(), undefined);
  third.handOver();
  const sent = third.inOrder(Promise.resolve());
  await nextTurn();
  third.abandon();
  await assert.rejects(sent, Withdrawn);
});

test("a run that is tried again withdraws those behind it once, and hands nothing over from then on", async () => {
  const turns = new Turns();
  const first = new Turn(turns, undefined);
  const second = new Turn(turns, first);
  assert.equal(first.begin(), undefined);
  first.handOver();
  assert.equal(second.begin(), undefined);
  second.handOver();
  const sent = second.inOrder(Promise.resolve());
  first.reset();
  await assert.rejects(sent, Withdrawn);
  second.reset();
  let hasBegun = false;
  const waits = Promise.resolve(second.begin()).then(() => {
    hasBegun = true;
  });
  assert.equal(first.begin(), undefined);
  first.handOver();
  await nextTurn();
  assert.equal(hasBegun, false);
  first.end({ fails: true, returns: false });
  await waits;
  assert.equal(second.mustReturn, false);
});
