/**
 * Takes every guard of the runtime away, one at a time, in copies of the project: its tests must fail. A guard that nobody misses is
 * either not needed or not tested. `npm run storm -- guards [part of a name]`
 */
import { availableParallelism } from "node:os";
import { circleOf } from "../circles.ts";
import { monotonicMs } from "../support/clock.ts";
import { noteFigure } from "../support/figures.ts";
import { allGuards } from "./support/guards/all-guards.ts";
import { UnguardedCopy } from "./support/guards/unguarded-copy.ts";
import { table, verdict } from "./support/table.ts";

const wanted = process.argv[2] ?? "";
const guards = allGuards.filter(({ name }) => name.includes(wanted));
const rows: (readonly [name: string, circle: string, by: string])[] = [];
const missedIn = new Map<string, number>();
let survivors = 0;

/** Gives each item to a copy of the project. A test that misses its guard often waits, so the copies are one more than the cores. */
async function inCopies<T>(items: readonly T[], work: (copy: UnguardedCopy, item: T, at: number) => Promise<void>) {
  const waiting = items.entries();
  const workers = Array.from({ length: Math.min(3, availableParallelism() + 1) }, async () => {
    const copy = await UnguardedCopy.make();
    try {
      for (const [at, item] of waiting) await work(copy, item, at);
    } finally {
      await copy.remove();
    }
  });
  await Promise.all(workers);
}

// What fails without a guard, or does not end in time, proves something only if it passes with it.
const suites = [...new Set(guards.flatMap(({ suite }) => suite))].sort();
const unsound: string[] = [];
await inCopies(suites, async (copy, file) => {
  const { passed, told } = await copy.run([file]);
  if (!passed) unsound.push(`${file}: ${told}`);
});
const failed = unsound.map((line) => `\n  FAILED ${line}`).join("");
console.log(`${suites.length} test files with all guards: ${unsound.length} failed${failed}`);

await inCopies(guards, async (copy, guard, at) => {
  const began = monotonicMs();
  const { passed, told, file } = await copy.without(guard);
  const seconds = Math.round((monotonicMs() - began) / 1000);
  const circle = passed ? "NONE" : circleOf(file);
  if (passed) survivors += 1;
  missedIn.set(circle, (missedIn.get(circle) ?? 0) + 1);
  rows[at] = [guard.name, circle, passed ? guard.suite.join(" ") : told];
  console.log(`${passed ? "SURVIVED" : "missed"} after ${seconds} s: ${guard.name}`);
});
table(["without", "missed in", "by"], rows);
for (const [circle, count] of missedIn) noteFigure(`missed in ${circle}`, count);
verdict(
  unsound.length === 0 && survivors === 0,
  `${guards.length} guards taken away, ${survivors} of them missed by nobody`,
);
