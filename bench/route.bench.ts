/**
 * Whole routes in this thread, each beside a function of the same work written by hand, in the same run: what the engine costs.
 * `npm run bench -- route [rounds]`
 */
import { performance } from "node:perf_hooks";
import { JsonText } from "../src/workers/engine/message.ts";
import { anExchange } from "../test/support/exchange.ts";
import { compileYaml, routeOf } from "../test/support/run-route.ts";
import { median } from "./support/figures.ts";

const rounds = Number(process.argv[2] ?? 7);
const repeats = 20_000;
const order =
  '{"orderNo": "17", "customer": "ann", "items": [{"sku": "anvil", "quantity": 3}, {"sku": "rocket", "quantity": 1}]}';

interface Case {
  readonly name: string;
  readonly steps: string;
  byHand(text: string): unknown;
}

const cases: readonly Case[] = [
  {
    name: "content-based router: choice, three headers, a template",
    steps: `
- setHeader: { name: orderNo, simple: "\${body[orderNo]}" }
- choice:
    when:
      - simple: "\${body[customer]} == 'bob'"
        steps: [{ setHeader: { name: who, constant: bob } }]
    otherwise:
      steps: [{ setHeader: { name: who, constant: other } }]
- setHeader: { name: kind, constant: order }
- setBody: { simple: "order \${header.orderNo} of \${header.who}" }`,
    byHand(text) {
      const body = JSON.parse(text) as { orderNo: string; customer: string };
      const headers = new Map<string, unknown>();
      headers.set("orderno", body.orderNo);
      headers.set("who", body.customer === "bob" ? "bob" : "other");
      headers.set("kind", "order");
      return `order ${headers.get("orderno")} of ${headers.get("who")}`;
    },
  },
  {
    name: "splitter: two items, grouped, marshalled",
    steps: `
- split:
    simple: "\${body[items]}"
    aggregationStrategy: "#groupedBodyAggregationStrategy"
    steps: [{ setBody: { simple: "\${body[quantity]} x \${body[sku]}" } }]
- marshal: { json: {} }`,
    byHand(text) {
      const { items } = JSON.parse(text) as { items: { sku: string; quantity: number }[] };
      return Buffer.from(JSON.stringify(items.map(({ sku, quantity }) => `${quantity} x ${sku}`)));
    },
  },
  {
    name: "failure that is handled: doTry with one catch",
    steps: `
- doTry:
    steps:
      - setHeader: { name: orderNo, simple: "\${body[orderNo]}" }
      - throwException: { exceptionType: java.io.IOException, message: "gone" }
    doCatch:
      - exception: [java.io.IOException]
        steps: [{ setBody: { simple: "\${header.orderNo}: \${exception.message}" } }]`,
    byHand(text) {
      const { orderNo } = JSON.parse(text) as { orderNo: string };
      try {
        throw new Error("gone");
      } catch (error) {
        return `${orderNo}: ${(error as Error).message}`;
      }
    },
  },
];

function nanoseconds(work: () => unknown): number {
  const began = performance.now();
  for (let i = 0; i < repeats; i++) work();
  return ((performance.now() - began) * 1e6) / repeats;
}

console.log(`${rounds} rounds of ${repeats}, median; ns a message`);
for (const { name, steps, byHand } of cases) {
  const { processor } = compileYaml(routeOf(steps)).route(0);
  const route = (): unknown => processor(anExchange({ body: new JsonText(order, JSON.parse(order)) }));
  nanoseconds(route);
  nanoseconds(() => byHand(order));
  const pairs = Array.from({ length: rounds }, () => [nanoseconds(route), nanoseconds(() => byHand(order))] as const);
  const ours = median(pairs.map(([time]) => time));
  const hand = median(pairs.map(([, time]) => time));
  const ratio = median(pairs.map(([a, b]) => a / b));
  console.log(`${name}: route ${ours.toFixed(0)}, by hand ${hand.toFixed(0)}, ratio ${ratio.toFixed(1)}`);
}
