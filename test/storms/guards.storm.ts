/**
 * Takes every guard of the runtime away, one at a time, in copies of the project: its tests must fail. A guard that nobody misses is
 * either not needed or not tested. `npm run storm -- guards [part of a name]`
 */
import { availableParallelism } from "node:os";
import { allGuards } from "./support/guards/all-guards.ts";
import { UnguardedCopy } from "./support/guards/unguarded-copy.ts";
import { table, verdict } from "./support/table.ts";

const wanted = process.argv[2] ?? "";
const guards = allGuards.filter(({ name }) => name.includes(wanted));
const waiting = guards.entries();
const rows: (readonly [name: string, missed: string, by: string])[] = [];
let survivors = 0;

async function work(): Promise<void> {
  const copy = await UnguardedCopy.make();
  try {
    for (const [index, guard] of waiting) {
      const { passed, told } = await copy.without(guard);
      if (passed) survivors += 1;
      rows[index] = [guard.name, passed ? "NO" : "yes", passed ? guard.suite.join(" ") : told];
      console.log(`${passed ? "SURVIVED" : "missed"}: ${guard.name}`);
    }
  } finally {
    await copy.remove();
  }
}

// What fails without a guard proves something only if it does not fail with it.
const whole = await UnguardedCopy.make();
const suites = [...new Set(guards.flatMap(({ suite }) => suite))].sort();
const sound = await whole.run(suites);
await whole.remove();
console.log(`${suites.length} test files with all guards: ${sound.passed ? "passed" : `FAILED, ${sound.told}`}`);
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
table(["without", "missed", "by"], rows);
verdict(sound.passed && survivors === 0, `${guards.length} guards taken away, ${survivors} of them missed by nobody`);
