/**
 * The crash-state model: sequences of PUT, stop, start, DELETE and purge of two flows on a disk in memory, cut off at every operation
 * by a loss of power (unsynced content lost, cut or zeroed, unsynced names there or not), by a kill before that, or by a failure.
 * Every state that may be left is booted, with the power lost again at boot, and held against what was acknowledged. Then
 * each sync is left out in turn, which must be noticed. `npm run storm -- crash-states [changes in a row]`: 3, which takes an hour or more; with 1
 * it leaves out the sequences and kills during two changes at once, and takes minutes.
 */
import { CrashModel } from "../control/stores/crash-model.ts";
import { basics, sequences } from "../control/stores/crash-scenarios.ts";
import { brokenWithout, searchAll } from "../control/stores/crash-search.ts";
import { syncs } from "../control/stores/failpoints.ts";
import { table, verdict } from "./support/table.ts";

const longest = Number(process.argv[2] ?? 3);
const leastStates = 10_000;
const cutOff = longest > 1 ? basics : basics.filter((scenario) => scenario.every((step) => step.length === 1));

// Errors are thrown by the million here, and nobody reads where they came from.
Error.stackTraceLimit = 0;

const model = new CrashModel();
const rows: (readonly (string | number)[])[] = [];
async function part(what: string, search: () => Promise<number>): Promise<void> {
  const before = model.figures.states;
  const runs = await search();
  const { states, violations } = model.figures;
  rows.push([what, runs, states - before, violations.length]);
  console.log(`${what}: ${states} states so far, ${violations.length} violations`);
}

for (let length = 2; length <= longest; length++) {
  const scenarios = sequences(length);
  await part(`${scenarios.length} sequences of ${length}, power lost at every operation`, async () => {
    for (const scenario of scenarios) await searchAll(model, scenario, []);
    return scenarios.length;
  });
}
for (const kind of ["kill", "fail"] as const) {
  await part(`${cutOff.length} sequences, ${kind} at every operation, then power lost`, async () => {
    let runs = 0;
    for (const scenario of cutOff) runs += await searchAll(model, scenario, [kind]);
    return runs;
  });
}
const { states, violations } = model.figures;
rows.push(["in all", "", states, violations.length]);
table(["", "runs", "states", "violations"], rows);
for (const violation of violations.slice(0, 5)) console.log(violation);

console.log("\nwithout one sync:");
let unnoticed = 0;
for (const sync of syncs) {
  const broken = await brokenWithout(sync);
  if (broken === undefined) unnoticed += 1;
  console.log(`${sync.padEnd(24)} ${broken === undefined ? "NOT NOTICED" : broken.slice(0, 150)}`);
}
verdict(
  states >= leastStates && violations.length === 0 && unnoticed === 0,
  `${states} distinct crash states, ${violations.length} violations; of ${syncs.length} syncs ${unnoticed} may be left out unnoticed`,
);
