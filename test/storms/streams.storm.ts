/**
 * A thousand readers of the event streams of a real process, in one other process over raw sockets, while a flow makes 200 trace events
 * and 60 log lines a second: first all of them read, then a hundred stall. Readers break off and resume, half of the
 * stalled read on, the others are closed, and at last a process of 500 readers is killed.
 * `npm run storm -- streams [seconds] [readers] [stalled] [seed]`
 */
import { epochMs, monotonicMs, pause } from "../support/clock.ts";
import { Crowd, type FollowerReport } from "./support/crowd.ts";
import { dice } from "./support/dice.ts";
import type { Holdings } from "./support/probe.ts";
import { table, verdict } from "./support/table.ts";
import { WatchedServer } from "./support/watched-server.ts";

const [seconds = 20, readers = 1000, stalled = 100, seed = epochMs() % 2 ** 31] = process.argv.slice(2).map(Number);
const reconnections = 20;
const MiB = 1024 * 1024;
const bars = { memoryMiB: 64, lagMs: 50, delayMs: 250, descriptorsMs: 35_000 };
/** So long after they stall, readers come back: before the server's `streamStallMs`. */
const comeBackMs = [Math.min(seconds * 500, 10_000), Math.min(seconds * 1000, 20_000)] as const;

/** Ten trace events and three log lines a run. */
const flow = (periodMs: number): string => `
- route:
    id: storm
    from:
      uri: timer:storm?period=${periodMs}&fixedRate=true
      steps:
        - setBody: { constant: "${"a body of some length ".repeat(550)}" }
        - log: "${"a line as long as lines are ".repeat(6)}"
        - log: "second"
        - log: "third"
`;

console.log(`seed ${seed}`);
const roll = dice(seed);
const watched = await WatchedServer.start();
const { server } = watched;
const missed: string[] = [];
const must = (holds: boolean, what: string): void => {
  if (!holds) missed.push(what);
};
try {
  await warmUp();
  const residentBefore = await watched.mostResident(3);
  const baseline = await watched.holdings();
  const crowd = new Crowd(server);
  const healthy = readers - stalled;
  await crowd.open("/trace/stream", Math.floor(healthy / 2));
  await crowd.open("/logs/stream", healthy - Math.floor(healthy / 2) - 5);
  await crowd.open("/trace/stream?body=full", 5);

  const without = await watched.phase("all read", crowd, seconds / 2, async () => {});
  await crowd.open("/trace/stream?body=full", stalled, true);
  const began = monotonicMs();
  const comesBack = async (share: number, afterMs: number): Promise<void> => {
    await until(began + afterMs);
    await crowd.tell({ do: "resume", count: Math.floor(stalled * share) });
  };
  const within = await watched.phase(`${stalled} stalled`, crowd, seconds, async () => {
    const back = comesBack(0.25, comeBackMs[0]);
    for (let i = 0; i < reconnections; i++) {
      await until(began + (i * seconds * 1000) / reconnections);
      await crowd.tell({ do: "reconnect", random: roll(1000) / 1000, afterMs: roll(400) });
    }
    await back;
  });
  const peak = Math.max(without.residentMiB, within.residentMiB) - residentBefore;
  const live = Math.max(liveMiB(without.held), liveMiB(within.held)) - liveMiB(baseline);
  await comesBack(0.25, comeBackMs[1]);
  await server.api("/flows/storm/stop", { method: "POST" });

  // A reader that comes now knows what was last.
  await crowd.open("/trace/stream", 1);
  await crowd.open("/logs/stream", 1);
  const complete = (all: readonly FollowerReport[]): boolean => {
    const [trace, log] = all.slice(-2);
    return all.every((one) => (one.stalls && !one.resumed) || one.next === (one.trace ? trace : log)?.first);
  };
  const end = await crowd.until(({ followers }) => complete(followers), 60_000);
  // A reader that does not read does not see that it was closed: the server counts.
  const remaining = end.followers.filter((one) => one.trace && (!one.stalls || one.resumed)).length;
  const left = await watched.readersLeft("trace", remaining);

  const reading = end.followers.filter(({ stalls }) => !stalls);
  const back = end.followers.filter(({ resumed }) => resumed);
  const gone = end.followers.filter(({ stalls, resumed }) => stalls && !resumed);
  const sum = (all: readonly FollowerReport[], name: "received" | "dropped" | "lost" | "wrong"): number =>
    all.reduce((total, one) => total + one[name], 0);
  const published = (all: readonly FollowerReport[]): number =>
    all.reduce((total, { first, next }) => total + next - first, 0);
  table(
    ["", "readers", "published to them", "received", "told to be dropped", "missing, twice, out of order"],
    [
      ["always reading", reading],
      ["stalled, read on", back],
      ["stalled for good", gone],
    ].map(([name, all]) => {
      const group = all as readonly FollowerReport[];
      return [
        String(name),
        group.length,
        published(group),
        sum(group, "received"),
        sum(group, "dropped"),
        sum(group, "wrong"),
      ];
    }),
  );
  table(
    [
      "phase",
      "events/s",
      "delay p50 ms",
      "delay p99 ms",
      "loop lag p99 ms",
      "run p99 ms",
      "resident MiB",
      "live heap MiB",
    ],
    [
      ["before", "", "", "", "", "", residentBefore, liveMiB(baseline)],
      ...[without, within].map((one) => [
        one.name,
        one.events,
        one.delayP50,
        one.delayP99,
        one.lagP99Ms,
        one.runP99Ms,
        one.residentMiB,
        liveMiB(one.held),
      ]),
    ],
  );
  must(complete(end.followers), "every reader that reads gets to the last event");
  must(sum(reading, "wrong") + sum(reading, "dropped") + sum(reading, "lost") === 0, "healthy readers miss nothing");
  must(
    reading.every((one) => !one.closed),
    "healthy readers are not closed",
  );
  must(end.reconnects === reconnections, `${reconnections} disconnections`);
  must(sum(back, "wrong") === 0 && back.every((one) => one.dropped > 0), "stalled readers are told what they lost");
  must(sum(back, "received") + sum(back, "dropped") === published(back), "received + dropped = published");
  must(left === remaining, `readers that stay stalled are closed: ${left} remain, not ${remaining}`);
  must(peak <= bars.memoryMiB && live <= bars.memoryMiB, `memory grows by at most ${bars.memoryMiB} MiB`);
  must(Math.max(without.lagP99Ms, within.lagP99Ms) < bars.lagMs, `loop lag p99 under ${bars.lagMs} ms`);
  must(within.delayP99 <= bars.delayMs, `delay p99 at most ${bars.delayMs} ms`);
  must(within.runP99Ms <= 2 * without.runP99Ms + 5, "runs do not wait for stalled readers");
  await crowd.end("SIGTERM");

  const returned = await killReaders(baseline.descriptors);
  console.log(
    `memory: ${residentBefore.toFixed(1)} MiB before, +${peak.toFixed(1)} MiB at the most (live heap and external +${live.toFixed(1)}); ` +
      `500 readers killed: ${returned.descriptors} descriptors after ${returned.ms} ms, ${baseline.descriptors} before`,
  );
  must(returned.descriptors <= baseline.descriptors + 2 && returned.ms <= bars.descriptorsMs, "descriptors come back");
  verdict(
    missed.length === 0,
    missed.length === 0 ? "nothing missed, every loss told, nobody waited for" : missed.join("; "),
  );
} finally {
  await server.remove();
}

/** Fills the streams' rings, while readers come and go: what is kept in any case, and what the first ones cost, is no growth. */
async function warmUp(): Promise<void> {
  await server.put("storm", flow(10));
  const crowd = new Crowd(server);
  await crowd.open("/trace/stream?body=full", 100);
  await crowd.open("/logs/stream", 100);
  await crowd.until(
    ({ followers }) => followers.every(({ trace, first, next }) => !trace || next - first > 4096),
    60_000,
  );
  await crowd.end("SIGTERM");
  for (const stream of ["trace", "log"] as const) await watched.readersLeft(stream, 0);
  await server.put("storm", flow(50));
}

async function killReaders(descriptors: number): Promise<{ descriptors: number; ms: number }> {
  await server.api("/flows/storm/start", { method: "POST" });
  for (const stream of ["trace", "log"] as const) await watched.readersLeft(stream, 0);
  const crowd = new Crowd(server);
  await crowd.open("/trace/stream", 250);
  await crowd.open("/logs/stream", 250);
  await crowd.end("SIGKILL");
  const began = monotonicMs();
  while (watched.descriptors > descriptors + 2 && monotonicMs() < began + bars.descriptorsMs) {
    await pause(20);
  }
  return { descriptors: watched.descriptors, ms: Math.round(monotonicMs() - began) };
}

function liveMiB({ heap, external }: Holdings): number {
  return (heap + external) / MiB;
}

function until(time: number): Promise<void> {
  return pause(Math.max(0, time - monotonicMs()));
}
