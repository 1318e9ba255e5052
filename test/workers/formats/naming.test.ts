/** How `marshal` and `unmarshal` name their data format, and what the check says when they do not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../../src/workers/catalog.ts";
import { describe } from "../../../src/workers/check/describe.ts";
import { refusalOf } from "./translate.ts";

const there = [...catalog.formats.keys()].join(", ");

const refused: readonly (readonly [step: string, message: string])[] = [
  ["{}", `flow:6:11: step 'marshal' needs a data format, one of: ${there}`],
  ["{id: m1}", `flow:6:11: step 'marshal' needs a data format, one of: ${there}`],
  ["{jsn: {}}", `flow:6:21: unknown data format 'jsn' (did you mean 'json'?); there are: ${there}`],
  ["{nonsense: {}}", `flow:6:21: unknown data format 'nonsense'; there are: ${there}`],
  [
    "{avro: {}}",
    `flow:6:21: data format 'avro' is part of Camel's YAML DSL; this runtime does not have it yet: there are ${there}`,
  ],
  ["{json: {}, csv: {}}", "flow:6:31: step 'marshal' has two data formats, 'json' and 'csv': keep one"],
  ["{gzipDeflater: x}", "flow:6:35: data format 'gzipDeflater' takes a map of options; found 'x'"],
  ["{json: [1]}", "flow:6:27: data format 'json' takes text (its 'library') or a map of options; found a list"],
];

for (const [step, message] of refused) {
  test(`marshal: ${step} is refused with one diagnostic`, async () => {
    assert.equal(await refusalOf(`- marshal: ${step}`), message);
  });
}

test("an option that the data format does not have is told with those that it has", async () => {
  const message = await refusalOf("- marshal: {json: {prettyPrnt: true}}");
  assert.match(message, /^flow:6:28: data format 'json' has no option 'prettyPrnt' \(did you mean 'prettyPrint'\?\)/);
});

test("kebab-case, ids and attributes of the step are as everywhere", async () => {
  const step =
    "- unmarshal: {id: u1, description: d, allow-null-body: true, json: {id: j1, unmarshal-type: java.util.Map}}";
  assert.equal(await refusalOf(step), "accepted");
});

test("the catalogue has the formats, and the flow's schema a definition for each", () => {
  const { catalog: document, flowSchema } = describe(catalog);
  const definitions = flowSchema["$defs"] as Record<string, unknown>;
  assert.deepEqual(
    document.formats.map(({ name, marshal, unmarshal }) => [name, marshal, unmarshal]),
    [...catalog.formats.keys()].map((name) => [name, true, true]),
  );
  for (const name of catalog.formats.keys()) assert.ok(`format:${name}` in definitions, name);
  const marshal = document.steps.find(({ name }) => name === "marshal")?.schema as Record<
    string,
    Record<string, unknown>
  >;
  assert.deepEqual(marshal["properties"]?.["csv"], { $ref: "urn:bulkhead:flow#/$defs/format:csv" });
});
