/**
 * A webhook flow under a steady load, beside 200 connections of clients that write all that one write holds, read nothing, say that
 * nothing more comes, or send headers in drops; for each kind the neighbour's p99 to that beside 200 polite clients in the same round.
 * 200 more routes are deployed, which the open health report lists. Arguments: rounds (3), seconds for each (4), connections (200), a part of a kind's name.
 *
 * Misses the bar: a p99 over twice the one beside polite clients, in the median of the rounds; more than 64 MiB of resident memory above
 * the most beside polite ones; a request of the neighbour that fails.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { median, quantile } from "../../bench/support/figures.ts";
import { RateLoad } from "../../bench/support/rate-load.ts";
import { every, pause } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import type { Crowd } from "./support/door/client-process.ts";
import { type MannerName, manners } from "./support/door/clients.ts";
import { residentOf } from "./support/proc.ts";
import { startServer } from "./support/server.ts";
import { table, verdict } from "./support/table.ts";

const MiB = 1024 * 1024;
const [rounds = 3, seconds = 4, count = 200] = process.argv.slice(2, 5).map(Number);
const part = process.argv[5] ?? "";
const perSecond = 100;
const mostRatio = 2;
const mostMemory = 64 * MiB;

interface Seen {
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  readonly resident: number;
  readonly opened: number;
}

const hostile = (Object.keys(manners) as MannerName[]).filter((name) => name !== "polite" && name.includes(part));
const server = await startServer();
const load = new RateLoad();
const crowd = fork(fileURLToPath(new URL("support/door/client-process.ts", import.meta.url)));
const seen = new Map<MannerName, Seen[]>();

try {
  await server.put("victim", webhook("victim", "setBody: { constant: here }"));
  await server.put("many", Array.from({ length: 200 }, (_, i) => direct(`r${i}`, `d${i}`, "log: x")).join(""));
  await beside("polite", 2);
  for (let round = 0; round < rounds; round++)
    for (const name of ["polite", ...hostile] as const) {
      const one = await beside(name, seconds);
      seen.set(name, [...(seen.get(name) ?? []), one]);
      // What it was made to hold is given back, and a connection that is refused is no longer remembered.
      await pause(1000);
    }
} finally {
  crowd.kill();
  load.stop();
  await server.remove();
}

const polite = seen.get("polite") ?? [];
const politeMemory = Math.max(...polite.map(({ resident }) => resident));
let met = true;
const rows = [...seen].map(([name, rounds]) => {
  const ratio = median(rounds.map(({ p99 }, i) => p99 / (polite[i]?.p99 ?? Number.NaN)));
  const memory = Math.max(...rounds.map(({ resident }) => resident)) - politeMemory;
  const failed = rounds.reduce((sum, one) => sum + one.failed, 0);
  if (ratio > mostRatio || memory > mostMemory || failed > 0) met = false;
  const of = (key: keyof Seen): number => median(rounds.map((one) => one[key]));
  return [name, of("p50"), of("p99"), ratio, failed, memory / MiB, of("opened")];
});
table(["beside", "p50 ms", "p99 ms", "ratio", "failed", "MiB more", "connections"], rows);
verdict(
  met,
  `beside ${count} connections of each kind a neighbour's p99 is at most ${mostRatio} times that beside polite ones`,
);

async function beside(name: MannerName, forSeconds: number): Promise<Seen> {
  await tell({ port: server.port, name, count });
  let resident = 0;
  const stop = every(50, () => (resident = Math.max(resident, residentOf(server.pid))));
  const url = `${server.url}/api/victim`;
  const stream = { name: "victim", url, method: "POST", perSecond, body: "x", expect: "here" } as const;
  const results = await load.run({ seconds: forSeconds, giveUpMs: 10_000, streams: [stream] });
  stop();
  const { opened } = await tell({ port: server.port, count: 0 });
  const { latencies = [], failed = 0 } = results.get("victim") ?? {};
  return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99), failed, resident, opened };
}

async function tell(order: Crowd): Promise<{ readonly opened: number }> {
  const answer = once(crowd, "message");
  crowd.send(order);
  const [done] = (await answer) as [{ readonly opened: number }];
  return done;
}
