/**
 * Many flows that lose their threads at the same moment, and are called again at once: how long it takes until all have answered, how late
 * the main loop is meanwhile, and whether flows that lose nothing notice.
 * `npm run storm -- pressure [flows] [rounds]`
 */
import { once } from "node:events";
import { monotonicMs } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import type { Lag } from "./support/lag-probe.ts";
import { type Server, startServer } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

/** Of the main loop, p99; issue: the standby threads refill without stalling it. */
const lagBarMs = 50;

const flows = Number(process.argv[2] ?? 60);
const rounds = Number(process.argv[3] ?? 5);
const module = (path: string): string => new URL(path, import.meta.url).href;

const flags = ["support/hostile/faulty-threads.ts", "support/lag-probe.ts"].flatMap((path) => [
  "--import",
  module(path),
]);
// A flow that is killed in each round is not to be quarantined for it.
const env = { LIMIT_QUARANTINE_KILLS: String(rounds + 10) };
const server = await startServer({ flags, env, ipc: true });
const rows: (readonly (string | number)[])[] = [];
let met = true;

try {
  const ids = Array.from({ length: flows }, (_, i) => `f${i}`);
  for (const [i, id] of ids.entries()) {
    // Every fourth has threads of its own making.
    const limits = i % 4 === 3 ? { workerMemoryBytes: 200 * 1024 * 1024 } : {};
    await server.put(id, webhook(id, "setBody: { simple: '${random(9)}' }"), limits);
  }
  await server.put("bystander", webhook("bystander", "setBody: { constant: here }"));
  for (let round = 1; round <= rounds; round++) {
    await lag(server);
    const killed = await Promise.all(ids.map((id) => call(id, "fault <exit>")));
    const begun = monotonicMs();
    const calls = ids.map(async (id) => {
      const status = await call(id);
      return { status, ms: monotonicMs() - begun };
    });
    const beside = await bystander(Promise.all(calls));
    const answers = await Promise.all(calls);
    const { p99, most } = await lag(server);
    const failed = answers.filter(({ status }) => status !== 200).length;
    const spared = killed.filter((status) => status === 200).length;
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const last = times.at(-1) ?? 0;
    rows.push([round, times[0] ?? 0, times[Math.floor(times.length / 2)] ?? 0, last, p99, most, beside.most, failed]);
    met &&= failed === 0 && spared === 0 && beside.failed === 0 && p99 <= lagBarMs;
  }
} finally {
  await server.remove();
}

table(["round", "first ms", "median ms", "all ms", "lag p99", "lag most", "bystander most", "failed"], rows);
verdict(met, `${flows} flows that die at once all answer, the main loop's lag is at most ${lagBarMs} ms (p99)`);

async function call(id: string, fault?: string): Promise<number> {
  const headers = fault === undefined ? {} : { "X-Fault": fault };
  const answer = await fetch(`${server.url}/api/${id}`, { method: "POST", headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** Calls a flow that has lost nothing, again and again, as long as the others are waited for. */
async function bystander(others: Promise<unknown>): Promise<{ readonly most: number; readonly failed: number }> {
  let over = false;
  void others.finally(() => {
    over = true;
  });
  let most = 0;
  let failed = 0;
  while (!over) {
    const begun = monotonicMs();
    if ((await call("bystander")) !== 200) failed += 1;
    most = Math.max(most, monotonicMs() - begun);
  }
  return { most, failed };
}

async function lag({ child }: Server): Promise<Lag> {
  child.send("how late?");
  const [seen] = (await once(child, "message")) as [Lag];
  return seen;
}
