/** Everything in the catalogue is documented, has an options schema, and has an example that checks, compiles and runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { catalog } from "../src/workers/catalog.ts";
import { checkSlots } from "../src/workers/check/check-slots.ts";
import { JsonText } from "../src/workers/engine/exchange.ts";
import { beginRoute, routeOf } from "./support/run-route.ts";

const definitions = [...catalog.steps.values(), ...catalog.components.values(), ...catalog.languages.values()];

test("names and schemes are unique and in Camel's spelling", async () => {
  const { steps } = await import("../src/workers/steps/index.ts");
  const { components } = await import("../src/workers/components/index.ts");
  const { languages } = await import("../src/workers/languages/index.ts");
  assert.equal(catalog.steps.size, steps.length);
  assert.equal(catalog.components.size, components.length);
  assert.equal(catalog.languages.size, [...languages].length);
  for (const { name } of steps) assert.match(name, /^[a-z][A-Za-z]*$/);
  for (const { scheme } of components) assert.match(scheme, /^[a-z][a-z0-9-]*$/);
});

test("every definition has one sentence of docs and a schema of options", () => {
  for (const definition of definitions) {
    assert.match(definition.docs, /^[A-Z`].*\.$/s, definition.docs);
    assert.ok(definition.options(z, checkSlots) instanceof z.ZodObject);
  }
});

test("what a string or a path fills is an option", () => {
  for (const { name, short, options } of catalog.steps.values()) {
    if (short !== undefined) assert.ok(short in options(z, checkSlots).shape, name);
  }
  for (const { scheme, path, options, consumer, producer } of catalog.components.values()) {
    if (path !== undefined) assert.ok(path in options(z, checkSlots).shape, scheme);
    assert.ok(consumer !== undefined || producer !== undefined, scheme);
  }
});

/** A step's or a producer's example is one item of a list of steps, a consumer's a route. */
function flowOf(example: string): string {
  const item = example.split("\n").map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
  return example.startsWith("from:") ? item.join("\n") : routeOf(item.join("\n"));
}

for (const { example, docs } of [...catalog.steps.values(), ...catalog.components.values()]) {
  test(`example ${JSON.stringify(example.slice(0, 60))} runs (${docs})`, async () => {
    const { outcome, exchange } = beginRoute(flowOf(example), { body: "7", headers: { name: "n", orderId: "1" } });
    const { error } = await outcome;
    if (!example.startsWith("throwException")) assert.equal(error, undefined);
    assert.ok(exchange.message);
  });
}

const order = new JsonText('{"orderNo": 7}', { orderNo: 7 });

for (const { name, example } of catalog.languages.values()) {
  test(`example of language ${name} runs: ${example}`, async () => {
    const { error } = await beginRoute(routeOf(`- setBody: { ${name}: ${JSON.stringify(example)} }`), { body: order })
      .outcome;
    assert.equal(error, undefined);
  });
}
