/**
 * Hostile flows (test/hostile/cases), one at a time, in a real process beside three neighbours - a webhook, a timer, a chain of two
 * flows - and the control plane, all of which are probed from another process. `thread` and `process` say where flows run; numbers, or
 * a part of a name, which cases; `quick` tries a few of them for a second each.
 * `npm run storm -- hostile [quick] [thread|process] [numbers or names...]`
 */

import { type HostileCase, type Mode, shownText } from "../hostile/case.ts";
import { hostileCases } from "../hostile/cases/index.ts";
import { missedBars } from "./support/hostile/bars.ts";
import { laterAnswers, Rig, type Tried } from "./support/hostile/rig.ts";
import { table, verdict } from "./support/table.ts";

const words = process.argv.slice(2);
const quick = words.includes("quick");
const modes: readonly Mode[] = (["thread", "process"] as const).filter(
  (mode) => words.includes(mode) || !(words.includes("thread") || words.includes("process")),
);
const wanted = words.filter((word) => !["quick", "thread", "process"].includes(word));
const quickOnes = [2, 5, 16, 33];
const forMs = quick ? 1000 : 8000;
const afterMs = quick ? 1000 : 5000;

const cases = hostileCases.filter(({ number, name }) => {
  if (wanted.length > 0)
    return wanted.some((word) => (/^\d+$/.test(word) ? Number(word) === number : name.includes(word)));
  return !quick || quickOnes.includes(number);
});
const rows: (readonly (string | number)[])[] = [];
const missed: string[] = [];
const costs: string[] = [];

for (const mode of modes) {
  const rig = new Rig(mode, forMs, afterMs);
  try {
    for (const attacked of cases) {
      try {
        const tried = await rig.try(attacked);
        if (mode === "thread" && attacked.costsProcess === true && !tried.samePid) {
          costs.push(`${attacked.number} ${attacked.name}`);
          rows.push([attacked.number, attacked.name, mode, "costs the process"]);
          continue;
        }
        const misses = missedBars(attacked, mode, tried);
        rows.push(rowOf(attacked, mode, tried, misses.length === 0));
        tell(attacked, mode, tried, misses);
      } catch (error) {
        tell(attacked, mode, undefined, [error instanceof Error ? error.message : String(error)]);
        rows.push([attacked.number, attacked.name, mode, "could not be tried"]);
      }
    }
  } finally {
    await rig.close();
  }
}

table(
  [
    [
      "no",
      "hostile flow",
      "mode",
      "told",
      "after ms",
      "failed",
      "p99 echo",
      "chain",
      "quiet",
      "health",
      "lag p99",
      "most",
    ],
    ["MiB", "5 s later", "away", ""],
  ].flat(),
  rows,
);
for (const line of missed) console.log(line);
if (costs.length > 0) console.log(`cost the process in thread mode: ${costs.join("; ")}`);
verdict(missed.length === 0, `${rows.length - costs.length} trials of hostile flows, ${missed.length} bars missed`);

function rowOf({ number, name }: HostileCase, mode: Mode, tried: Tried, met: boolean): readonly (string | number)[] {
  const { answers, noisy, quiet, lag } = tried;
  const ms = (value: number): string => value.toFixed(value < 10 ? 1 : 0);
  return [
    number,
    name,
    mode,
    answers[0] === undefined ? "nothing" : shownText(answers[0]),
    ms(Math.max(...answers.map((answer) => answer.ms))),
    noisy.failed,
    ms(noisy.figures.echo.p99),
    ms(noisy.figures.chain.p99),
    ms(Math.max(quiet.figures.echo.p99, quiet.figures.chain.p99)),
    ms(noisy.figures.health.p99),
    lag === undefined ? "-" : ms(lag.p99),
    lag === undefined ? "-" : ms(lag.most),
    tried.grownMiB.toFixed(0),
    tried.grownAfterMiB.toFixed(0),
    ms(tried.siblingAwayMs),
    met ? "" : "MISSED",
  ];
}

/** As it goes, since all of them take long. */
function tell({ number, name }: HostileCase, mode: Mode, tried: Tried | undefined, misses: readonly string[]): void {
  console.log(`${misses.length === 0 ? "ok" : "MISSED"}  ${number} ${name} (${mode})`);
  if (tried !== undefined) console.log(`    ${laterAnswers(tried.answers)}; ${tried.record.slice(0, 200)}`);
  for (const miss of misses) {
    missed.push(`${number} ${name} (${mode}): ${miss}`);
    console.log(`    ${miss}`);
  }
}
