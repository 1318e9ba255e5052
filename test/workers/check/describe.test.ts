/** The catalogue tells editors what may be written: spelling as in YAML, nothing that would be refused. */
import assert from "node:assert/strict";
import { describe as suite, test } from "node:test";
import { describe } from "../../../src/workers/check/describe.ts";
import { smallCatalog } from "./small-catalog.ts";

type Schema = Record<string, unknown>;

const { catalog, flowSchema } = describe(smallCatalog);
const definitions = flowSchema["$defs"] as Record<string, Schema>;

function propertiesOf(name: string): Record<string, Schema> {
  const entry = [...catalog.steps, ...catalog.components].find((candidate) => candidate.name === name);
  return (entry?.schema as Schema)["properties"] as Record<string, Schema>;
}

suite("the catalogue", () => {
  test("has an entry for each definition, with its docs and example", () => {
    assert.deepEqual(
      catalog.steps.map(({ name }) => name),
      [...smallCatalog.steps.keys()],
    );
    assert.deepEqual(
      catalog.languages.map(({ name }) => name),
      [...smallCatalog.languages.keys()],
    );
    const timer = catalog.components.find(({ name }) => name === "timer");
    assert.deepEqual([timer?.consumer, timer?.producer, timer?.docs], [true, false, "Ticks."]);
    assert.deepEqual(catalog.formats, []);
  });

  test("shows options, defaults and required ones, but none that is refused", () => {
    assert.deepEqual(Object.keys(propertiesOf("log")), [
      "message",
      "loggingLevel",
      "id",
      "description",
      "note",
      "disabled",
    ]);
    assert.equal(propertiesOf("log")["loggingLevel"]?.["default"], "INFO");
    assert.deepEqual(catalog.steps.find(({ name }) => name === "log")?.schema["required"], ["message"]);
    assert.equal(propertiesOf("timer")["period"]?.["default"], 1000);
  });

  test("shows inline languages where an expression stands, uri and parameters where an endpoint stands", () => {
    assert.deepEqual(Object.keys(propertiesOf("setBody")).slice(0, 5), [
      "simple",
      "constant",
      "exchangeProperty",
      "language",
      "expression",
    ]);
    assert.deepEqual(Object.keys(propertiesOf("to")).slice(0, 3), ["pattern", "uri", "parameters"]);
    const when = (propertiesOf("choice")["when"]?.["items"] as Schema)["properties"] as Schema;
    assert.ok("simple" in when && "steps" in when && "disabled" in when);
  });

  test("is plain data", () => {
    assert.deepEqual(JSON.parse(JSON.stringify({ catalog, flowSchema })), structuredClone({ catalog, flowSchema }));
  });
});

test("every reference of the flow's schema leads to a definition", () => {
  const references = JSON.stringify(flowSchema).matchAll(/"\$ref":"urn:bulkhead:flow#\/\$defs\/([^"]+)"/g);
  const names = [...references].map(([, name]) => name as string);
  assert.ok(names.length > 10);
  for (const name of names) assert.ok(name in definitions, name);
});
