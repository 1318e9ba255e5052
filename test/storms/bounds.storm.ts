/**
 * Steps that do the most they can with the largest body, under default limits, each in a thread of its own. For each: what ended it, the
 * time it took, the most memory (heap and external) the thread had above what it had before, and the longest time in which the thread
 * could not have been ended. Arguments: a regular expression of attacks' names (default: all), seconds for each (default 40).
 *
 * Misses the bar: a thread that dies of V8's own limit, one that is still at work after the time (but for what only the supervisor
 * ends), one that cannot be ended for over two seconds. Times are those of a machine with nothing else to do.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { monotonicMs, pause } from "../support/clock.ts";
import { attacks } from "./support/bounds/attacks.ts";

const MiB = 1024 * 1024;
const [part = "", seconds = "40"] = process.argv.slice(2);
const wanted = new RegExp(part);
const patienceMs = Number(seconds) * 1000;

interface Figures {
  readonly ms: number;
  readonly peak: number;
  readonly deaf: number;
  readonly said: string;
}

async function measured(name: string): Promise<Figures> {
  const worker = new Worker(new URL("./support/bounds/run.ts", import.meta.url), {
    workerData: name,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    stdout: true,
    stderr: true,
  });
  let died: string | undefined;
  worker.on("error", (error) => (died = String(error)));
  await once(worker, "message");
  let ended: { readonly ms: number; readonly said: string } | undefined;
  worker.on("message", (told) => (ended = told));
  const before = await memoryOf(worker);
  const began = monotonicMs();
  let peak = before;
  let deaf = 0;
  worker.postMessage("go");
  while (ended === undefined && died === undefined && monotonicMs() - began < patienceMs) {
    const asked = monotonicMs();
    peak = Math.max(peak, await memoryOf(worker));
    deaf = Math.max(deaf, monotonicMs() - asked);
    await pause(5);
  }
  const terminated = monotonicMs();
  await worker.terminate();
  deaf = Math.max(deaf, monotonicMs() - terminated);
  const { ms = monotonicMs() - began, said = died ?? "STILL AT WORK" } = ended ?? {};
  return { ms, peak: peak - before, deaf, said: died === undefined ? said : `DIED: ${died}` };
}

async function memoryOf(worker: Worker): Promise<number> {
  try {
    const { total_heap_size, external_memory } = await worker.getHeapStatistics();
    return total_heap_size + external_memory;
  } catch {
    return 0;
  }
}

let missed = 0;
let run = 0;
for (const { name, forSupervisor = false } of attacks) {
  if (!wanted.test(name)) continue;
  run += 1;
  const { ms, peak, deaf, said } = await measured(name);
  const bad = (forSupervisor ? /^(DIED|THROWN)/ : /^(DIED|STILL|THROWN)/).test(said) || deaf > 2000;
  if (bad) missed += 1;
  const figures = [`${Math.round(ms)} ms`, `${Math.round(peak / MiB)} MiB`, `deaf ${Math.round(deaf)} ms`];
  console.log(`${bad ? "BAD " : "ok  "} ${figures.map((figure) => figure.padStart(13)).join("")}  ${name}: ${said}`);
}
console.log(missed === 0 ? `all ${run} attacks were bounded` : `${missed} of ${run} attacks were not bounded`);
process.exitCode = missed === 0 && run > 0 ? 0 : 1;
