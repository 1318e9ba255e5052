/** JSON that stands inside of a list, a map, a header, a variable or a property is to every language what plain JSON is there. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { noMask } from "../../../src/shared/secret-mask.ts";
import { encodeBody } from "../../../src/workers/bodies.ts";
import { asText } from "../../../src/workers/engine/convert.ts";
import type { Exchange } from "../../../src/workers/engine/exchange.ts";
import { Headers } from "../../../src/workers/engine/headers.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import type { Mappings } from "../../../src/workers/engine/mappings.ts";
import { JsonText, Message } from "../../../src/workers/engine/message.ts";
import { preview } from "../../../src/workers/engine/preview.ts";
import type { Processor } from "../../../src/workers/engine/processor.ts";
import { recordedValue } from "../../../src/workers/engine/recorded-value.ts";
import { writeJson } from "../../../src/workers/engine/write-json.ts";
import { anExchange } from "../../support/exchange.ts";
import { compileYaml, routeOf, runSteps } from "../../support/run-route.ts";
import { mappingsOf } from "../../support/with-mappings.ts";

/** The same JSON twice: as it is parsed, and as a message may hold it. */
interface Pair {
  readonly plain: unknown;
  readonly held: unknown;
}

const scalar: fc.Arbitrary<Pair> = fc
  .oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.string({ maxLength: 5 }))
  .map((value) => ({ plain: value, held: value }));
const names = fc.constantFrom("a", "price", "text", "value", "constructor", "ä b");

const { pair } = fc.letrec<{ pair: Pair; list: Pair; map: Pair; wrapped: Pair }>((tie) => ({
  pair: fc.oneof({ maxDepth: 4, depthIdentifier: "json" }, scalar, tie("list"), tie("map"), tie("wrapped")),
  list: fc
    .array(tie("pair"), { maxLength: 3, depthIdentifier: "json" })
    .map((list) => ({ plain: list.map(({ plain }) => plain), held: list.map(({ held }) => held) })),
  map: fc.dictionary(names, tie("pair"), { maxKeys: 3, depthIdentifier: "json" }).map((map) => {
    const of = (side: keyof Pair) => Object.fromEntries(Object.entries(map).map(([name, one]) => [name, one[side]]));
    return { plain: of("plain"), held: of("held") };
  }),
  wrapped: fc
    .tuple(tie("pair"), fc.constantFrom("text", "message", "exchange", "map", "set"))
    .map(([{ plain, held }, by]) => wrapped(plain, held, by)),
}));

function wrapped(plain: unknown, held: unknown, by: string): Pair {
  if (by === "message") return { plain, held: new Message(defaultLimits, new Headers(defaultLimits), held) };
  if (by === "exchange") return { plain, held: anExchange({ body: held }) };
  if (by === "map") return { plain: { m: plain }, held: new Map([["m", held]]) };
  if (by === "set") return { plain: [plain], held: new Set([held]) };
  return { plain, held: new JsonText(JSON.stringify(plain), plain) };
}

const grouped = fc.array(pair, { minLength: 1, maxLength: 3 }).map((list) => ({
  plain: list.map(({ plain }) => plain),
  held: list.map(({ held }) => held),
}));

const readers: readonly (readonly [language: string, text: string, options?: Readonly<Record<string, unknown>>])[] = [
  ["jq", "[.. | scalars]"],
  ["jq", "[.. | objects | keys]"],
  ["jq", "tojson"],
  ["jq", '[header("h"), property("p"), variable("v")] | tojson'],
  ...["header:h", "property:p", "variable:v"].map((source) => ["jq", "tojson", { source }] as const),
  ["jsonata", "$string($)"],
  ["jsonata", "**.price"],
  ["jsonata", "$string([$headers.h, $properties.p, $variables.v])"],
  ["jsonata", "$string($)", { source: "header:h" }],
  ["jsonpath", "$..*"],
  ["jsonpath", "$..price", { source: "variable:v" }],
  ["jsonpath", "$[0]", { writeAsString: true }],
  ["js", "JSON.stringify(body)"],
  ["js", "JSON.stringify([headers.h, exchange.properties.p, exchange.variables.v])"],
  ["simple", "${toJsonBody}"],
  ["simple", "${jq(tojson)} ${jsonpath(header:h,$..price)}"],
  ["simple", "${body} == ${variable.plain}", { resultType: "boolean" }],
];

const steps = [
  ...readers.map(([language, expression, options], at) => ({
    setVariable: { name: `result${at}`, [language]: { expression, ...options } },
  })),
  { messageMapping: "m" },
  { setVariable: { name: "mapped", simple: "${body}" } },
  ...["json", "yaml"].flatMap((format) => [
    { setBody: { simple: "${variable.v}" } },
    { marshal: { [format]: {} } },
    { setVariable: { name: format, simple: "${body}" } },
  ]),
  { setBody: { simple: "${variable.v}" } },
];
const mapping = {
  name: "m",
  language: "jsonata",
  source: { format: "json", sample: {} },
  target: { format: "json" },
  rules: [
    { target: "/all", expr: "$" },
    { target: "/prices", expr: "price" },
    { target: "/header", expr: "$string($headers.h)" },
  ],
};

let processor: Processor;
let mappings: Mappings<Exchange>;
before(async () => {
  mappings = await withModules(() => mappingsOf({}, { m: mapping }));
  processor = await withModules(() => compileYaml(routeOf(JSON.stringify(steps))).route(0).processor);
});

/** What each reader sees, and what is answered. */
async function seen(value: unknown, plain: unknown): Promise<Readonly<Record<string, unknown>>> {
  const exchange = anExchange({
    body: value,
    headers: { h: value },
    properties: { p: value },
    variables: { v: value, plain },
  });
  exchange.run.mappings = mappings;
  await processor(exchange);
  return { ...results(exchange), answer: encodeBody(exchange.message.body, 1e6).body };
}

function results({ variables }: Exchange): Readonly<Record<string, unknown>> {
  const named = readers.map(([language, text], at) => [`${language} ${text}`, variables.get(`result${at}`)] as const);
  const all = [...named, ...["mapped", "json", "yaml"].map((name) => [name, variables.get(name)] as const)];
  return Object.fromEntries(all.map(([name, value]) => [name, writeJson(value, 1e6)]));
}

test("every language sees plain JSON, wherever in a body, header, property or variable it stands", async () => {
  await fc.assert(
    fc.asyncProperty(grouped, async ({ plain, held }) => {
      assert.deepEqual(await seen(held, plain), await seen(plain, plain));
    }),
    { numRuns: 25 },
  );
});

const strategies = ["GroupedBody", "GroupedExchange", "GroupedMessage"];
const document = '[{"price":1},{"price":2.50}]';

for (const name of strategies) {
  const aggregationStrategy = `#class:org.apache.camel.processor.aggregate.${name}AggregationStrategy`;
  const around = (kind: string, options: object, inner: readonly object[]) => ({
    [kind]: { ...options, aggregationStrategy, steps: inner },
  });
  const toNode = { setBody: { jq: "." } };
  const split = around("split", { simple: "${body}" }, [around("multicast", {}, [toNode])]);
  const nested = around("multicast", {}, [{ pipeline: { steps: [toNode, split] } }]);
  const run = (last: object) =>
    runSteps(JSON.stringify([nested, last]), { body: new JsonText(document, JSON.parse(document)) });

  test(`${name}: a multicast of a split of a multicast is a list of lists of JSON`, async () => {
    const expected = [[[{ price: 1 }], [{ price: 2.5 }]]];
    for (const language of ["jq", "jsonata", "jsonpath", "js"]) {
      const text = { jq: "tojson", jsonata: "$string($)", jsonpath: "$", js: "JSON.stringify(body)" }[language];
      const { exchange, error } = await run({ setBody: { [language]: text } });
      assert.equal(error, undefined, language);
      const { body } = exchange.message;
      assert.deepEqual(typeof body === "string" ? JSON.parse(body) : body, expected, language);
    }
    const { exchange } = await run({ marshal: { json: {} } });
    assert.equal(Buffer.from(exchange.message.body as Uint8Array).toString(), JSON.stringify(expected));
  });

  test(`${name}: an answer, a log and a trace show nothing of the runtime's own`, async () => {
    const { exchange, logs } = await run({ to: "log:all?showAll=true&maxChars=0" });
    const shown = [
      encodeBody(exchange.message.body, 1e6).body,
      logs[0]?.message,
      preview(new Headers(defaultLimits), exchange.message.body, 1e6).body,
      JSON.stringify(recordedValue(exchange.message.body, 1e6, noMask).value),
    ];
    assert.equal(shown[0], '[[[{"price":1}],[{"price":2.5}]]]');
    for (const text of shown) assert.doesNotMatch(String(text), /limits|"(?:text|message|headers|run)"/);
  });
}

test("recipientList, aggregate and enrich group JSON as split does", async () => {
  const aggregationStrategy = "#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy";
  const prices = { setVariable: { name: "prices", jq: "[.[].price]" } };
  const property = {
    setVariable: { name: "prices", jq: { expression: "[.[].price]", source: "property:CamelGroupedExchange" } },
  };
  const cases = {
    recipientList: [{ recipientList: { constant: "mock:a,mock:b", aggregationStrategy } }, prices],
    // As in Camel, the list is of the answer only, and stays in the property.
    enrich: [{ enrich: { constant: "mock:a", aggregationStrategy } }, property],
    aggregate: [
      {
        split: {
          constant: "1,2",
          steps: [
            { setBody: { simple: "${variable.document}" } },
            {
              aggregate: {
                correlationExpression: { constant: "k" },
                completionSize: 2,
                aggregationStrategy,
                steps: [prices, { log: "${variable.prices}" }],
              },
            },
          ],
        },
      },
    ],
  };
  for (const [name, steps] of Object.entries(cases)) {
    const body = new JsonText('{ "price": 7 }', { price: 7 });
    const outcome = await runSteps(JSON.stringify(steps), { body, variables: { document: body } });
    assert.equal(outcome.error, undefined, name);
    await outcome.announced.settled();
    const seen = name === "aggregate" ? outcome.logs[0]?.message : asText(outcome.exchange.variables.get("prices"));
    assert.equal(seen, name === "enrich" ? "[7]" : "[7,7]", name);
  }
});
