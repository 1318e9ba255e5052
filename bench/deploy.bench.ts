/**
 * From a PUT to its answer (the new routes serve then), one deployment a second, as people deploy; and what of that is not the bare
 * writing of the same files in the same directory. `npm run bench -- deploy [puts]`
 */
import { mkdir, mkdtemp, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { printBars } from "./support/bars.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { startRuntime, token } from "./support/server-process.ts";

const [puts = 20] = process.argv.slice(2).map(Number);
const flow = (n: number): string => `
- route:
    id: order-in
    from:
      uri: webhook
      steps:
        - setVariable: { name: orderNo, simple: "\${body[orderNo]}" }
        - choice:
            when:
              - simple: "\${variable.orderNo} == null"
                steps:
                  - setBody: { constant: "no order" }
            otherwise:
              steps:
                - log: "order \${variable.orderNo}"
                - setBody: { constant: "version ${n}" }
`;

const directory = await mkdtemp(join(tmpdir(), "bulkhead-bench-deploy-"));
const runtime = await startRuntime({ ROUTES_DIR: join(directory, "routes"), DATA_DIR: join(directory, "data") });
await put(0);
const times: number[] = [];
/** From the beginning of the check to the swap, as the answer says. */
const ready: number[] = [];
/** What the disk takes for the same files. */
const bare: number[] = [];
for (let n = 1; n <= puts; n++) {
  await sleep(1000);
  const began = performance.now();
  const { swap } = await put(n);
  times.push(performance.now() - began);
  ready.push(swap.readyMs);
  bare.push(await bareWrites(n));
}
await runtime.stop();
await rm(directory, { recursive: true, force: true });
const sorted = times.toSorted((a, b) => a - b);
const own = times.map((ms, i) => ms - (bare[i] ?? 0));
report("deploy", {
  machine: machine(),
  puts,
  barMs: 8,
  medianMs: round(median(times), 1),
  p95Ms: round(quantile(sorted, 0.95), 1),
  bareMs: round(median(bare), 1),
  ownMs: round(median(own), 1),
  checkToSwapMs: round(median(ready), 1),
  all: times.map((ms) => round(ms, 1)),
});
printBars("deploy", [{ what: "a PUT without the writes of its files", measured: median(own), most: 8, unit: "ms" }]);

async function put(n: number): Promise<{ readonly swap: { readonly readyMs: number } }> {
  const response = await fetch(`${runtime.url}/_api/flows/orders`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ yaml: flow(n) }),
  });
  if (!response.ok) throw new Error(`PUT: ${response.status} ${await response.text()}`);
  return (await response.json()) as { readonly swap: { readonly readyMs: number } };
}

/** The three files that a PUT makes durable, one after the other: record, YAML, head. */
async function bareWrites(n: number): Promise<number> {
  const began = performance.now();
  const revisions = join(directory, "bare");
  await mkdir(revisions, { recursive: true });
  await sync(directory);
  for (const [name, text] of [
    ["record.json", JSON.stringify({ yaml: flow(n) })],
    ["orders.yaml", flow(n)],
    ["head.json", "{}"],
  ] as const) {
    const temp = join(revisions, `.${name}.tmp`);
    const file = await open(temp, "w");
    await file.writeFile(text);
    await file.sync();
    await file.close();
    await rename(temp, join(revisions, name));
    await sync(revisions);
  }
  return performance.now() - began;
}

async function sync(path: string): Promise<void> {
  const opened = await open(path);
  await opened.sync();
  await opened.close();
}
