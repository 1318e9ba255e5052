/**
 * Random expressions at their full number: the simple parser is linear, no expression leads out of the data, and the linear regex
 * engine agrees with JavaScript's own. `npm run storm -- expressions [runs of each] [seed]`; the same seed makes the same texts.
 */
import { monotonicMs } from "../support/clock.ts";
import { provesEnclosed } from "../workers/languages/fuzz/escape.ts";
import { provesLinear } from "../workers/languages/fuzz/linear.ts";
import { provesAgreement } from "../workers/languages/fuzz/regex-agreement.ts";
import { table, verdict } from "./support/table.ts";

const runs = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
console.log(`seed ${seed}`);

const rows: (readonly [what: string, runs: number, seconds: number, found: string])[] = [];
const trials = [
  ["work is linear in the text", provesLinear, runs],
  ["results are data", provesEnclosed, runs * 10],
  ["patterns match as natively", provesAgreement, runs],
] as const;
for (const [what, prove, count] of trials) {
  const began = monotonicMs();
  let found = "nothing";
  try {
    prove({ runs: count, seed });
  } catch (error) {
    console.error(error);
    found = "see above";
  }
  rows.push([what, count, (monotonicMs() - began) / 1000, found]);
}
table(["what", "runs", "seconds", "found"], rows);
verdict(
  rows.every(([, , , found]) => found === "nothing"),
  `seed ${seed}`,
);
