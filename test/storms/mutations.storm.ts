/**
 * Flows with something changed in their text, at their full number: each is answered with places inside of its text, or compiles and
 * runs one message without an error of the engine's own. `npm run storm -- mutations [texts] [seed]`; the same seed makes the same texts.
 */
import { monotonicMs } from "../support/clock.ts";
import { provesMutations } from "../workers/check/fuzz/mutations.ts";
import { conformanceFlows, exampleFlows, sampleFlows } from "../workers/check/fuzz/samples.ts";
import { table, verdict } from "./support/table.ts";

const runs = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

const shares = { sampleFlows, exampleFlows, conformanceFlows };
const rows: (readonly [what: string, texts: number, flows: number, seconds: number, found: string])[] = [];
for (const [what, texts] of Object.entries(shares)) {
  const began = monotonicMs();
  const tally = { texts: 0, flows: 0 };
  let found = "nothing";
  try {
    await provesMutations(texts, { runs: Math.ceil(runs / 3), seed, tally });
  } catch (error) {
    console.error(error);
    found = "see above";
  }
  rows.push([what, tally.texts, tally.flows, (monotonicMs() - began) / 1000, found]);
}
table(["made from", "texts", "of these flows", "seconds", "found"], rows);
verdict(
  rows.every(([, , , , found]) => found === "nothing"),
  `seed ${seed}`,
);
