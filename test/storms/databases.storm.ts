/**
 * A flow that takes rows of a table and writes them to another one, while rows are written all the time, for minutes on each real database, plain and
 * transacted: its runs fail, its threads are lost, the runtime is killed, the server is ended, crashes and comes back, the flow is replaced and rolled back.
 * Every row whose writing was acknowledged has to arrive; what comes twice is counted, and a loss or a failure has to explain it.
 * `npm run storm -- databases [seconds for each] [seed] [pattern of names]`
 */
import { databases } from "../servers/databases.ts";
import { sqlConnectors } from "../servers/sql/sql-connector.ts";
import { epochMs, monotonicMs } from "../support/clock.ts";
import { ConsumerStorm } from "./support/consumer-storm.ts";
import { dice } from "./support/dice.ts";
import { table, verdict } from "./support/table.ts";

const seconds = Number(process.argv[2] ?? 150);
const seed = Number(process.argv[3] ?? epochMs() % 1_000_000);
const names = new RegExp(process.argv[4] ?? "");
console.log(`seed ${seed}`);
const began = monotonicMs();
const columns = [
  "connector",
  ...["written", "lost", "doubled", "may be", "runs failed", "threads lost", "SIGKILLs", "servers ended", "crashed"],
  ...["PUTs", "rollbacks"],
];
const rows: (string | number)[][] = [];
const problems: string[] = [];
for (const connector of databases.flatMap(sqlConnectors)) {
  if (!names.test(connector.name)) continue;
  const storm = new ConsumerStorm(connector, dice(seed + rows.length));
  const { written, lost, doubled, mayBeDoubled, counts } = await storm.run(seconds * 1000);
  rows.push([connector.name, written, lost, doubled, mayBeDoubled, ...Object.values(counts)]);
  console.log(rows.at(-1)?.join("  "));
  if (lost > 0) problems.push(`${connector.name}: ${lost} lost`);
  if (doubled > mayBeDoubled) problems.push(`${connector.name}: ${doubled} doubled, where ${mayBeDoubled} may be`);
}
table(columns, rows);
const took = Math.round((monotonicMs() - began) / 1000);
verdict(problems.length === 0, `${took} s, ${problems.length === 0 ? "0 lost" : problems.join("; ")}, seed ${seed}`);
