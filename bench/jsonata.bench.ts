/**
 * Steps in jsonata beside the library as it comes, in turns in the same run: from the text of a message to the result, without a thread.
 * `npm run bench -- jsonata [rounds]`
 */
import jsonata from "jsonata";
import { do_not_optimize } from "mitata";
import { withModules } from "../src/workers/engine/late-module.ts";
import { anExchange } from "../test/support/exchange.ts";
import { compileYaml, routeOf } from "../test/support/run-route.ts";
import { machine, median, report, round } from "./support/figures.ts";

const [rounds = 7] = process.argv.slice(2).map(Number);

const order = JSON.stringify({ orderNo: 17, customer: { name: "Ada" }, total: 119.5 });
const rows = JSON.stringify({
  items: Array.from({ length: 500 }, (_, id) => ({ id, price: id * 1.5, name: `article ${id}` })),
});

const expressions: readonly (readonly [name: string, text: string, body: string, repeats: number])[] = [
  ["a condition", "total > 100 and customer.name = 'Ada'", order, 20_000],
  ["an object", "{ 'id': orderNo, 'customer': customer.name, 'label': 'order ' & orderNo }", order, 20_000],
  ["500 rows, filtered and mapped", "items[price > 100].{ 'id': id, 'label': name & '!' }", rows, 40],
  [
    "500 rows with a function",
    "$map(items[price > 100], function($i) { { 'id': $i.id, 'label': $i.name & '!' } })",
    rows,
    20,
  ],
  ["500 rows, sorted", "items^(>price)[[0..9]].name", rows, 20],
];

/** Microseconds for one evaluation. */
async function timeOf(repeats: number, work: () => unknown): Promise<number> {
  const begun = performance.now();
  for (let turn = 0; turn < repeats; turn++) do_not_optimize(await work());
  return ((performance.now() - begun) * 1000) / repeats;
}

const figures: Record<string, unknown> = {};
for (const [name, text, body, repeats] of expressions) {
  const flow = await withModules(() => compileYaml(routeOf(`- setBody: ${JSON.stringify({ jsonata: text })}`)));
  const { processor } = flow.route(0);
  const plain = jsonata(text);
  const pairs: { readonly stepUs: number; readonly plainUs: number }[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const plainUs = await timeOf(repeats, () => plain.evaluate(JSON.parse(body)));
    const stepUs = await timeOf(repeats, () => processor(anExchange({ body })));
    // The first one is for the compiler.
    if (turn > 0) pairs.push({ stepUs, plainUs });
  }
  figures[name] = {
    stepUs: round(median(pairs.map(({ stepUs }) => stepUs))),
    plainUs: round(median(pairs.map(({ plainUs }) => plainUs))),
    ratio: round(median(pairs.map(({ stepUs, plainUs }) => plainUs / stepUs))),
  };
}
report("jsonata", { machine: machine(), rounds, ...figures });
