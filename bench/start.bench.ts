/**
 * Cold start: from spawning the process to the first answered webhook, with the sample flows of routes/samples/.
 * `first`: an empty data directory, as after a clone; `again`: the start after it. `npm run bench -- start [runs]`
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { machine, median, report, round } from "./support/figures.ts";
import { startRuntime } from "./support/server-process.ts";

const [runs = 9] = process.argv.slice(2).map(Number);
const first: number[] = [];
const again: number[] = [];
const listening: number[] = [];
for (let i = 0; i < runs; i++) {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-bench-start-"));
  await cp("routes/samples", join(directory, "routes"), { recursive: true });
  for (const times of [first, again]) {
    const began = performance.now();
    const server = await startRuntime({ ROUTES_DIR: join(directory, "routes"), DATA_DIR: join(directory, "data") });
    listening.push(server.startMs);
    for (let tries = 0; (await post(server.url)) !== 200; tries++) {
      if (tries > 5000) throw new Error("the webhook was never answered");
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    times.push(performance.now() - began);
    await server.stop();
  }
  await rm(directory, { recursive: true, force: true });
}
report("start", {
  machine: machine(),
  runs,
  barMs: 250,
  firstMs: round(median(first), 0),
  againMs: round(median(again), 0),
  listeningMs: round(median(listening), 0),
  all: first.map((ms) => round(ms, 0)),
});

/** A status; plain `node:http`, because `fetch` takes tens of milliseconds to load. */
function post(url: string): Promise<number> {
  return new Promise((resolve) => {
    const call = request(`${url}/api/hello`, { method: "POST" }, (response) => {
      response.resume();
      response.once("end", () => resolve(response.statusCode ?? 0));
    });
    call.once("error", () => resolve(0));
    call.end("hi");
  });
}
