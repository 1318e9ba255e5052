/** Many cycles of deploying, calling and removing a flow in one runtime, and what it holds before, meanwhile and after. */

import { monotonicMs, pause } from "../../support/clock.ts";
import type { Holdings } from "./probe.ts";
import { startProbed } from "./probed-server.ts";
import { childrenOf, descriptorsOf, residentOf, threadsOf } from "./proc.ts";
import type { Server } from "./server.ts";
import { lineThrough } from "./slope.ts";
import { perCycle, table, verdict } from "./table.ts";

const ringSize = 64;
const measuredShare = 0.8;
const every = 10;
const warmCycles = 20;
const mostLeft = 2;
const hostsEndMs = 30_000;
const MB = 1e6;

type Isolation = "thread" | "process";

/** Of the host processes. */
interface Hosts {
  readonly processes: number;
  /** Of the first one, which has a flow that stays. */
  readonly descriptors: number;
  readonly threads: number;
  /** Bytes. */
  readonly resident: number;
}

type Seen = Holdings & { readonly hosts: Hosts };

export async function cycles(isolation: Isolation, count: number, mostKiB: number): Promise<void> {
  const { server, holdings } = await startProbed({
    LIMIT_STREAM_RING: String(ringSize),
    LIMIT_RUNS_TOTAL: String(ringSize),
    // What flows that are gone have used is kept, of so many.
    LIMIT_USAGE_GONE_FLOWS: "10",
    LIMIT_STANDBY_THREADS: "1",
  });
  const look = async (): Promise<Seen> => ({ ...(await holdings()), hosts: await hostsOf(server) });
  try {
    if (isolation === "process") await server.put(`${group}stays`, flow("stays"), { isolation });
    for (let i = 0; i < warmCycles; i++) await cycle(server, isolation, i, "warm");
    const before = await look();
    const seen: { readonly at: number; readonly held: Seen }[] = [];
    const began = monotonicMs();
    for (let i = 1; i <= count; i++) {
      await cycle(server, isolation, i, "cycle");
      if (i % every === 0) seen.push({ at: i, held: await look() });
      if (i % Math.ceil(count / 10) === 0) progress(i, seen.at(-1)?.held ?? before);
    }
    const seconds = (monotonicMs() - began) / 1000;
    const after = await look();
    const measured = seen.filter(({ at }) => at > count * (1 - measuredShare));
    const slopeOf = (what: (held: Seen) => number) =>
      lineThrough(measured.map(({ at, held }) => ({ x: at, y: what(held) })));
    const heap = slopeOf((held) => held.heap);
    const returning = [
      ...returningOf(before, after, ["descriptors", "threads", "timers", "ports"], ""),
      ...(isolation === "process"
        ? returningOf(before.hosts, after.hosts, ["processes", "descriptors", "threads"], "host: ")
        : []),
    ];
    const resident = (held: Seen): number => held.resident;
    const inHost = (held: Seen): number => held.hosts.resident;
    table(
      [isolation, "before", "after", "bar"],
      [
        ...returning.map(({ name, before, after }) => [name, before, after, `+-${mostLeft}`]),
        ["heap (MB)", before.heap / MB, after.heap / MB, ""],
        ["heap a cycle", "", perCycle(heap), `${mostKiB} KiB`],
        ["external a cycle", "", perCycle(slopeOf((held) => held.external)), ""],
        ["resident (MB)", resident(before) / MB, resident(after) / MB, ""],
        ["resident a cycle", "", perCycle(slopeOf(resident)), ""],
        ...(isolation === "process"
          ? [
              ["host: resident (MB)", inHost(before) / MB, inHost(after) / MB, ""],
              ["host: resident a cycle", "", perCycle(slopeOf(inHost)), ""],
            ]
          : []),
      ],
    );
    const back = returning.every((one) => Math.abs(one.after - one.before) <= mostLeft);
    const what = `${count} cycles of deploy, call, undeploy (${isolation}) in ${seconds.toFixed(0)} s`;
    verdict(back && heap.slope <= mostKiB * 1024, what);
  } finally {
    await server.remove();
  }
}

/** Flows whose ids begin so share a host process. */
const group = "shared.";

async function cycle(server: Server, isolation: Isolation, n: number, name: string): Promise<void> {
  const id = isolation === "process" && n % 2 === 0 ? `${group}${name}-${n}` : `${name}-${n}`;
  await server.put(id, flow(id), isolation === "process" ? { isolation } : {});
  const answer = await fetch(`${server.url}/api/${id}`, { method: "POST", body: "Ada" });
  const text = await answer.text();
  if (answer.status !== 200 || text !== `${id} Ada`) throw new Error(`${id} answered ${answer.status} ${text}`);
  const removed = await server.api(`/flows/${id}?drainMs=5000&purge=true`, { method: "DELETE" });
  await removed.arrayBuffer();
  if (!removed.ok) throw new Error(`DELETE ${id}: ${removed.status}`);
}

/** When those that have nothing left to do have ended; the oldest is the one that stays. */
async function hostsOf({ pid }: Server): Promise<Hosts> {
  for (const end = monotonicMs() + hostsEndMs; childrenOf(pid).length > 1 && monotonicMs() < end; ) await pause(20);
  const children = childrenOf(pid);
  const first = children[0];
  if (first === undefined) return { processes: 0, descriptors: 0, threads: 0, resident: 0 };
  return {
    processes: children.length,
    descriptors: descriptorsOf(first),
    threads: await threadsOf(first),
    resident: residentOf(first),
  };
}

function returningOf<Name extends string>(
  before: Readonly<Record<Name, number>>,
  after: Readonly<Record<Name, number>>,
  names: readonly Name[],
  prefix: string,
): readonly { readonly name: string; readonly before: number; readonly after: number }[] {
  return names.map((name) => ({ name: `${prefix}${name}`, before: before[name], after: after[name] }));
}

function progress(cycle: number, { heap, resident, threads, descriptors, hosts }: Seen): void {
  const figures = `heap ${(heap / MB).toFixed(2)} MB, resident ${(resident / MB).toFixed(1)} MB`;
  console.log(`${cycle} cycles: ${figures}, ${threads} threads, ${descriptors} descriptors, ${hosts.processes} hosts`);
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
