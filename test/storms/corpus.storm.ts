/**
 * The corpus of bad input, again and again, against one real process: every case as tabled each time, and what the process holds
 * does not grow. `npm run storm -- corpus [rounds]`. The first rounds fill the heaps of threads and caches and are not measured.
 */

import { corpus } from "../control/corpus/cases/index.ts";
import { checkCase } from "../control/corpus/check-case.ts";
import { busyRuns, furnish, tidy, worldAt } from "../control/corpus/world.ts";
import { monotonicMs } from "../support/clock.ts";
import { patientVariables } from "../support/patience.ts";
import { startProbed } from "./support/probed-server.ts";
import { token } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const rounds = Number(process.argv[2] ?? 20);
const warmUp = 15;
const mostGrowth = 30e6;
const MB = 1e6;

const { server, holdings } = await startProbed(patientVariables);
try {
  const world = worldAt(server.url, token);
  await furnish(world);
  let failures = 0;
  let before = await holdings();
  const began = monotonicMs();
  for (let i = 0; i < warmUp + rounds; i++) {
    for (const { group, cases } of corpus) {
      for (const one of cases) {
        await checkCase(world, one).catch((error: unknown) => {
          failures += 1;
          console.log(`round ${i}: ${group}: ${one.name}: ${error instanceof Error ? error.message : String(error)}`);
        });
      }
    }
    await tidy(world);
    if (i === warmUp - 1) before = await holdings();
  }
  const seconds = (monotonicMs() - began) / 1000;
  const busy = await busyRuns(world);
  const after = await holdings();
  const cases = corpus.reduce((sum, one) => sum + one.cases.length, 0);
  const row = (name: "descriptors" | "threads" | "timers") => [name, before[name], after[name], ""];
  table(
    ["", "before", "after", "bar"],
    [
      ["cases", "", cases, "120"],
      ["sent in all", "", cases * (warmUp + rounds), ""],
      ["not as tabled", "", failures, "0"],
      ["runs under way", "", busy, "0"],
      ["resident (MB)", before.resident / MB, after.resident / MB, `+${mostGrowth / MB}`],
      ["heap (MB)", before.heap / MB, after.heap / MB, ""],
      ["external (MB)", before.external / MB, after.external / MB, ""],
      row("descriptors"),
      row("threads"),
      row("timers"),
    ],
  );
  const alive = server.child.exitCode === null && server.problems() === "";
  const met = alive && failures === 0 && busy === 0 && after.resident - before.resident <= mostGrowth && cases >= 120;
  verdict(met, `${rounds} rounds of ${cases} bad requests in ${seconds.toFixed(0)} s, one process`);
} finally {
  await server.remove();
}
