/**
 * Flows from each broker or server of files to the next, while messages are produced all the time, for minutes each, on real servers: their runs fail,
 * their threads are lost, the runtime is killed, either server is ended, crashes and comes back, the flow is replaced and rolled back. Every message whose
 * writing was acknowledged has to arrive at the other server; what comes twice is counted, and a loss or a failure has to explain it. What cannot be
 * written while a server is away is tried again by the flow's error handler.
 * `npm run storm -- brokers [seconds for each] [seed] [pattern of names]`
 */
import { brokers } from "../servers/brokers.ts";
import { epochMs, monotonicMs } from "../support/clock.ts";
import { between } from "./support/between.ts";
import { ConsumerStorm } from "./support/consumer-storm.ts";
import { dice } from "./support/dice.ts";
import { table, verdict } from "./support/table.ts";

const seconds = Number(process.argv[2] ?? 120);
const seed = Number(process.argv[3] ?? epochMs() % 1_000_000);
const names = new RegExp(process.argv[4] ?? "");
/** Tries again what a broker does not take, for longer than one is away; what the storm itself fails is not tried again. */
const retries =
  "- onException: { exception: [java.lang.Exception], onWhen: { simple: \"${exception.message} !contains 'as decided'\" }, " +
  "redeliveryPolicy: { maximumRedeliveries: 100, redeliveryDelay: 500 } }\n";
console.log(`seed ${seed}`);
const began = monotonicMs();
const columns = [
  "flow",
  ...["written", "lost", "doubled", "may be", "runs failed", "threads lost", "SIGKILLs", "servers ended", "crashed"],
  ...["PUTs", "rollbacks"],
];
const rows: (string | number)[][] = [];
const problems: string[] = [];
for (const [at, from] of brokers.entries()) {
  const to = brokers[(at + 1) % brokers.length] ?? from;
  const roll = dice(seed + at);
  const connector = to === from ? from : between(from, to, roll);
  if (!names.test(connector.name)) continue;
  const storm = new ConsumerStorm(connector, roll, retries);
  const { written, lost, doubled, mayBeDoubled, counts } = await storm.run(seconds * 1000);
  rows.push([connector.name, written, lost, doubled, mayBeDoubled, ...Object.values(counts)]);
  console.log(rows.at(-1)?.join("  "));
  if (lost > 0) problems.push(`${connector.name}: ${lost} lost`);
  if (doubled > mayBeDoubled) problems.push(`${connector.name}: ${doubled} doubled, where ${mayBeDoubled} may be`);
}
table(columns, rows);
const took = Math.round((monotonicMs() - began) / 1000);
verdict(problems.length === 0, `${took} s, ${problems.length === 0 ? "0 lost" : problems.join("; ")}, seed ${seed}`);
