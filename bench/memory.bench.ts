/**
 * Memory of deployed flows: a live one (its thread is there), and an idle one (its thread has been given back) with an empty
 * history. Resident memory of the process, over many flows. `npm run bench -- memory [live flows] [idle flows]`
 */
import { machine, report, round } from "./support/figures.ts";
import { putFlow, rssOf, type ServerProcess, startRuntime, threadsOf } from "./support/server-process.ts";

const [liveFlows = 50, idleFlows = 300] = process.argv.slice(2).map(Number);
const flow = (id: string): string => `
- route:
    id: ${id}
    from:
      uri: webhook
      steps:
        - log: "got \${body}"
`;

report("memory", { machine: machine(), live: await live(), idle: await idle() });

async function live(): Promise<Readonly<Record<string, number>>> {
  const runtime = await startRuntime({ LIMIT_IDLE_MS: "600000" });
  // The first deployments load what all later ones share: the API, the check thread, the standby threads.
  await deploy(runtime, "warm", 5);
  const before = rssOf(runtime.pid);
  const threads = await threadsOf(runtime.pid);
  await deploy(runtime, "live", liveFlows);
  const mbPerFlow = round((rssOf(runtime.pid) - before) / liveFlows / 1e6);
  const more = (await threadsOf(runtime.pid)) - threads;
  await runtime.stop();
  return { flows: liveFlows, mbPerFlow, barMB: 9, threads: more };
}

/**
 * Each deployment leaves something behind in the allocator, whatever it deploys: so many replacements of one flow are measured
 * first, and their growth is taken off that of as many new flows.
 */
async function idle(): Promise<Readonly<Record<string, number>>> {
  const runtime = await startRuntime({ LIMIT_IDLE_MS: "20" });
  await deploy(runtime, "warm", 100);
  const sizes = [rssOf(runtime.pid)];
  const threads = await threadsOf(runtime.pid);
  for (let i = 0; i < idleFlows; i++) await putFlow(runtime.url, "same", flow("same").replace("got", `got ${i}`));
  await settle();
  sizes.push(rssOf(runtime.pid));
  await deploy(runtime, "idle", idleFlows);
  sizes.push(rssOf(runtime.pid));
  const more = (await threadsOf(runtime.pid)) - threads;
  await runtime.stop();
  const [before = 0, replaced = 0, after = 0] = sizes;
  const kb = (bytes: number): number => round(bytes / idleFlows / 1e3, 0);
  return {
    flows: idleFlows,
    kbPerFlow: kb(after - replaced - (replaced - before)),
    barKB: 100,
    kbPerReplacement: kb(replaced - before),
    kbPerNewFlow: kb(after - replaced),
    threads: more,
  };
}

async function deploy(runtime: ServerProcess, name: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await putFlow(runtime.url, `${name}-${i}`, flow(`${name}-${i}`));
  await settle();
}

/** Threads collect the garbage of their boot when they have had no run for 20 s. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 23_000));
}
