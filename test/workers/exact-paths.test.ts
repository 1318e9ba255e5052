/** Whole numbers beyond 2^53 keep every digit on any way through formats, languages, mappings and steps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withModules } from "../../src/workers/engine/late-module.ts";
import { direct } from "../support/flows.ts";
import { routeOf, runRoute } from "../support/run-route.ts";
import { mappingsOf } from "../support/with-mappings.ts";

const grouped = '"#class:org.apache.camel.processor.aggregate.GroupedBodyAggregationStrategy"';

/** Each leaves the document as it is, whatever it came as. */
const ways: Readonly<Record<string, string>> = {
  jq: "- transform: { jq: . }",
  "jq, built anew": '- transform: { jq: "{id, n, list, more} | .copy = .id | del(.copy)" }',
  "jq, as text": "- transform: { jq: tojson }",
  jsonata: "- transform: { jsonata: $ }",
  "jsonata, as text": "- transform: { jq: . }\n- transform: { jsonata: $string($) }",
  jsonpath: "- transform: { jsonpath: $ }",
  js: "- transform: { js: 'typeof body === \"string\" ? JSON.parse(body) : body' }",
  "js, written": "- transform: { jq: . }\n- script: { js: 'const { id } = body; body.id = 0n; body.id = id' }",
  "js, as text": "- transform: { jq: . }\n- transform: { js: JSON.stringify(body) }",
  "json and back": "- transform: { jq: . }\n- marshal: { json: {} }\n- unmarshal: { json: {} }",
  "json, pretty": "- transform: { jq: . }\n- marshal: { json: { prettyPrint: true } }",
  "json, without nulls":
    "- transform: { jq: . }\n- marshal: { json: { include: NON_NULL } }\n- convertBodyTo: { type: String }",
  "yaml and back": "- transform: { jq: . }\n- marshal: { yaml: {} }\n- unmarshal: { yaml: {} }",
  "simple, as json": "- transform: { jq: . }\n- setBody: { simple: '${toJsonBody}' }",
  variable: "- setVariable: { name: v, jq: . }\n- setBody: { constant: x }\n- setBody: { variable: v }",
  header:
    "- setHeader: { name: h, jq: . }\n- setBody: { constant: x }\n- setBody: { header: h }\n- removeHeader: { name: h }",
  property: "- setProperty: { name: p, jq: . }\n- setBody: { constant: x }\n- setBody: { exchangeProperty: p }",
  split: `- split:\n    jq: "[.]"\n    aggregationStrategy: ${grouped}\n    steps: [{ log: "\${body}" }]\n- transform: { jq: ".[0]" }`,
  multicast: `- multicast:\n    aggregationStrategy: ${grouped}\n    steps: [{ to: "direct:same" }]\n- transform: { jq: ".[0]" }`,
  direct: "- to: direct:same",
  enrich: "- enrich: { constant: direct:same }",
  "message mapping": "- messageMapping: m",
  "message mapping by rules": "- messageMapping: rules",
};

const mappings = await withModules(() =>
  mappingsOf(
    {},
    {
      m: { expression: "$" },
      rules: { mappings: { id: "id", n: "n", list: "list[]", more: "more" } },
    },
  ),
);

async function after(way: string, document: string): Promise<unknown> {
  const end = "- transform: { jq: . }\n- marshal: { json: {} }\n- convertBodyTo: { type: String }";
  const flow = routeOf(`${way}\n${end}`) + direct("same", "same", 'log: "${body}"');
  const { exchange, error } = await runRoute(flow, { body: document, mappings });
  if (error !== undefined) throw error;
  return exchange.message.body;
}

const whole = fc.oneof(
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  fc.bigInt({ min: 2n ** 53n - 2n, max: 2n ** 53n + 2n }),
  fc.bigInt({ min: -(2n ** 53n) - 2n, max: -(2n ** 53n) + 2n }),
);
const document = fc
  .record({ id: whole, n: whole, list: fc.array(whole, { minLength: 2, maxLength: 4 }), key: whole, inner: whole })
  .map(
    ({ id, n, list, key, inner }) =>
      `{"id":${id},"n":${n},"list":[${list}],"more":{"k${key}":[{"x":${inner}},"${inner}"]}}`,
  );

test("each way keeps the digits", async () => {
  const json =
    '{"id":9007199254740993,"n":-123456789012345678901234567890,"list":[1,-9007199254740993],"more":{"k1":[{"x":18446744073709551616},"9007199254740993"]}}';
  for (const [name, way] of Object.entries(ways)) assert.equal(await after(way, json), json, name);
});

test("any way after any other keeps the digits of any document", async () => {
  const names = fc.array(fc.constantFrom(...Object.keys(ways)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(document, names, async (json, sequence) => {
      assert.equal(await after(sequence.map((name) => ways[name]).join("\n"), json), json);
    }),
    { numRuns: 60 },
  );
});
