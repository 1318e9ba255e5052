/**
 * Deploys, calls and removes a flow again and again, in a real process: descriptors, threads and timers come back, the heap does not
 * grow. `npm run storm -- soak [cycles] [KiB of heap a cycle]`. The rings of the streams and of the run history are made small
 * by their limits, so that they are full before the measured part begins: what grows after that is a leak.
 * `npm run storm -- soak mixed [seconds]`: load, timers, a reader of each stream, and a replacement every five seconds.
 */
import { mixedSoak } from "./support/mixed-soak.ts";
import type { Holdings } from "./support/probe.ts";
import { startProbed } from "./support/probed-server.ts";
import { lineThrough } from "./support/slope.ts";
import { perCycle, table, verdict } from "./support/table.ts";

const ringSize = 64;
const measuredShare = 0.8;
const every = 10;
const MB = 1e6;

if (process.argv[2] === "mixed") await mixedSoak(Number(process.argv[3] ?? 120));
else await cycles(Number(process.argv[2] ?? 1000), Number(process.argv[3] ?? 1));

async function cycles(count: number, mostKiB: number): Promise<void> {
  const { server, holdings } = await startProbed({
    LIMIT_STREAM_RING: String(ringSize),
    LIMIT_RUNS_TOTAL: String(ringSize),
    LIMIT_STANDBY_THREADS: "1",
  });
  try {
    for (let i = 0; i < 20; i++) await cycle(server, `warm-${i}`);
    const before = await holdings();
    const seen: { readonly at: number; readonly held: Holdings }[] = [];
    const began = performance.now();
    for (let i = 1; i <= count; i++) {
      await cycle(server, `soak-${i}`);
      if (i % every === 0) seen.push({ at: i, held: await holdings() });
      if (i % Math.ceil(count / 10) === 0) progress(i, seen.at(-1)?.held ?? before);
    }
    const seconds = (performance.now() - began) / 1000;
    const after = await holdings();
    const measured = seen.filter(({ at }) => at > count * (1 - measuredShare));
    const slopeOf = (what: (held: Holdings) => number) =>
      lineThrough(measured.map(({ at, held }) => ({ x: at, y: what(held) })));
    const heap = slopeOf((held) => held.heap);
    const external = slopeOf((held) => held.external);
    const resident = slopeOf((held) => held.resident);
    const difference = (name: "descriptors" | "threads" | "timers" | "ports"): readonly (number | string)[] => [
      name,
      before[name],
      after[name],
      "+-2",
    ];
    table(
      ["", "before", "after", "bar"],
      [
        difference("descriptors"),
        difference("threads"),
        difference("timers"),
        difference("ports"),
        ["heap (MB)", before.heap / MB, after.heap / MB, ""],
        ["heap a cycle", "", perCycle(heap), `${mostKiB} KiB`],
        ["external a cycle", "", perCycle(external), ""],
        ["resident (MB)", before.resident / MB, after.resident / MB, ""],
        ["resident a cycle", "", perCycle(resident), ""],
      ],
    );
    const back = (["descriptors", "threads", "timers"] as const).every(
      (name) => Math.abs(after[name] - before[name]) <= 2,
    );
    verdict(
      back && heap.slope <= mostKiB * 1024,
      `${count} cycles of deploy, call, undeploy in ${seconds.toFixed(0)} s`,
    );
  } finally {
    await server.remove();
  }
}

function progress(cycle: number, { heap, resident, threads, descriptors }: Holdings): void {
  const figures = `heap ${(heap / MB).toFixed(2)} MB, resident ${(resident / MB).toFixed(1)} MB`;
  console.log(`${cycle} cycles: ${figures}, ${threads} threads, ${descriptors} descriptors`);
}

async function cycle(server: Awaited<ReturnType<typeof startProbed>>["server"], id: string): Promise<void> {
  await server.put(id, flow(id));
  const answer = await fetch(`${server.url}/api/${id}`, { method: "POST", body: "Ada" });
  const text = await answer.text();
  if (answer.status !== 200 || text !== `${id} Ada`) throw new Error(`${id} answered ${answer.status} ${text}`);
  const removed = await server.api(`/flows/${id}?drainMs=5000&purge=true`, { method: "DELETE" });
  await removed.arrayBuffer();
  if (!removed.ok) throw new Error(`DELETE ${id}: ${removed.status}`);
}

function flow(id: string): string {
  return `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - log: "got \${body}"
        - setBody: { simple: "${id} \${body}" }
- route:
    id: ${id}-clock
    from:
      uri: timer:t?period=1000
      steps:
        - log: "tick"
`;
}
