/**
 * From a PUT to its answer (the new routes serve then), one deployment a second, as people deploy. `npm run bench -- deploy [puts]`
 */
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { putFlow, startRuntime } from "./support/server-process.ts";

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

const runtime = await startRuntime();
await putFlow(runtime.url, "orders", flow(0));
const times: number[] = [];
for (let n = 1; n <= puts; n++) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const began = performance.now();
  await putFlow(runtime.url, "orders", flow(n));
  times.push(performance.now() - began);
}
await runtime.stop();
const sorted = times.toSorted((a, b) => a - b);
report("deploy", {
  machine: machine(),
  puts,
  barMs: 15,
  medianMs: round(median(times), 1),
  p95Ms: round(quantile(sorted, 0.95), 1),
  all: times.map((ms) => round(ms, 1)),
});
