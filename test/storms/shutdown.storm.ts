/**
 * Ends the runtime by signals in the middle of things: under load, while it boots, during PUTs, twice.
 * `npm run storm -- shutdown [rounds]`
 */

import { bootRound } from "./support/shutdown/boot-round.ts";
import { graceMs, lateMs } from "./support/shutdown/ending.ts";
import { loadRound } from "./support/shutdown/load-round.ts";
import { putRound } from "./support/shutdown/put-round.ts";
import { secondRound } from "./support/shutdown/second-round.ts";
import { table, verdict } from "./support/table.ts";

/** What one round saw: figures by name, and what is against the rules. */
export interface Round {
  readonly figures: Readonly<Record<string, number>>;
  readonly wrong: readonly string[];
}

const rounds = Number(process.argv[2] ?? 20);
/** In turn; load is what most rounds are about. */
const kinds = { load: loadRound, put: putRound, "load again": loadRound, boot: bootRound, second: secondRound };
const names = Object.keys(kinds) as (keyof typeof kinds)[];
const sums = new Map<string, { rounds: number; readonly figures: Map<string, number> }>();
const wrong: string[] = [];

for (let round = 0; round < rounds; round++) {
  const name = names[round % names.length] as keyof typeof kinds;
  const seen = await kinds[name](round);
  const kind = name.split(" ")[0] as string;
  const sum = sums.get(kind) ?? { rounds: 0, figures: new Map<string, number>() };
  sums.set(kind, sum);
  sum.rounds += 1;
  for (const [figure, value] of Object.entries(seen.figures)) {
    const before = sum.figures.get(figure) ?? 0;
    sum.figures.set(figure, figure.startsWith("most") ? Math.max(before, value) : before + value);
  }
  const ms = seen.figures["most ms to the end"] ?? 0;
  const late = ms > graceMs + lateMs ? [`it took ${ms.toFixed(0)} ms to end`] : [];
  wrong.push(...[...seen.wrong, ...late].map((what) => `round ${round + 1} (${kind}): ${what}`));
}

const rows = [...sums].flatMap(([kind, { rounds: count, figures }]) =>
  [...figures].map(([figure, value]) => [kind, count, figure, Math.round(value)]),
);
table(["kind", "rounds", "figure", "in all"], rows);
for (const what of wrong) console.log(what);
verdict(wrong.length === 0, `${rounds} shutdowns, ${wrong.length} things wrong`);
