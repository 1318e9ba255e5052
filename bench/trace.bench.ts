/**
 * What tracing costs a flow of five steps: nobody watches, one reader of the trace stream, one with message previews.
 * Alternating rounds against the same runtime; ratios to the unwatched round beside it. `npm run bench -- trace [rounds] [seconds]`
 */
import { request } from "node:http";
import { machine, median, report, round } from "./support/figures.ts";
import { load } from "./support/load.ts";
import { cpuMsOf, putFlow, startRuntime, token } from "./support/server-process.ts";

const [rounds = 5, seconds = 3] = process.argv.slice(2).map(Number);
const body = JSON.stringify({ orderNo: "17", items: [1, 2, 3] });
const runtime = await startRuntime({ LIMIT_STREAM_LINGER_MS: "1" });
await putFlow(
  runtime.url,
  "traced",
  `
- route:
    id: traced
    from:
      uri: webhook
      steps:
        - setVariable: { name: no, simple: "\${body[orderNo]}" }
        - setHeader: { name: X-No, simple: "\${variable.no}" }
        - choice:
            when:
              - simple: "\${variable.no} == 17"
                steps:
                  - log: "seventeen"
        - setBody: { simple: "order \${variable.no}" }
`,
);

await measure();
const ratios = { watched: [] as number[], previews: [] as number[] };
const cpu = { unwatched: [] as number[], watched: [] as number[], previews: [] as number[] };
for (let i = 0; i < rounds; i++) {
  const unwatched = await measure();
  cpu.unwatched.push(unwatched.cpuMicros);
  for (const [name, query] of [
    ["watched", ""],
    ["previews", "?body=preview"],
  ] as const) {
    const stop = await watch(query);
    const result = await measure();
    stop();
    await new Promise((resolve) => setTimeout(resolve, 100));
    ratios[name].push(result.perSecond / unwatched.perSecond);
    cpu[name].push(result.cpuMicros);
  }
}
await runtime.stop();
report("trace", {
  machine: machine(),
  rounds,
  seconds,
  ratioWatched: round(median(ratios.watched)),
  ratioWithPreviews: round(median(ratios.previews)),
  cpuMicrosPerRequest: {
    unwatched: round(median(cpu.unwatched), 1),
    watched: round(median(cpu.watched), 1),
    withPreviews: round(median(cpu.previews), 1),
  },
});

async function measure(): Promise<{ perSecond: number; cpuMicros: number }> {
  const before = cpuMsOf(runtime.pid);
  const { perSecond, requests, errors } = await load(`${runtime.url}/api/traced`, 32, seconds, body);
  if (errors > 0) throw new Error(`${errors} requests failed`);
  return { perSecond, cpuMicros: ((cpuMsOf(runtime.pid) - before) * 1000) / requests };
}

/** Reads the trace stream and throws it away; resolves when the stream has begun. */
function watch(query: string): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${runtime.url}/_api/trace/stream${query}`,
      { headers: { Authorization: `Bearer ${token}` } },
      (stream) => {
        stream.once("data", () => resolve(() => call.destroy()));
        stream.on("error", () => {});
        stream.resume();
      },
    );
    call.once("error", reject);
    call.end();
  });
}
