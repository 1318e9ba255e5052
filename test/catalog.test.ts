/** Everything in the catalogue is documented, has an options schema, and has an example that checks, compiles and runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { catalog } from "../src/workers/catalog.ts";
import { checkSlots } from "../src/workers/check/check-slots.ts";
import { withModules } from "../src/workers/engine/late-module.ts";
import { JsonText } from "../src/workers/engine/message.ts";
import { beginRoute, routeOf, runRoute } from "./support/run-route.ts";
import { mappingsOf } from "./support/with-mappings.ts";

const { steps, components, languages, formats, elements } = catalog;
const definitions = [
  ...steps.values(),
  ...components.values(),
  ...languages.values(),
  ...formats.values(),
  ...elements.values(),
];

test("names and schemes are unique and in Camel's spelling", async () => {
  const registry = {
    ...(await import("../src/workers/steps/index.ts")),
    ...(await import("../src/workers/components/index.ts")),
    ...(await import("../src/workers/languages/index.ts")),
    ...(await import("../src/workers/formats/index.ts")),
  };
  assert.equal(steps.size, registry.steps.length);
  assert.equal(components.size, registry.components.length);
  assert.equal(languages.size, registry.languages.length);
  assert.equal(formats.size, registry.formats.length);
  for (const name of [...steps.keys(), ...formats.keys()]) assert.match(name, /^[a-z][A-Za-z0-9]*$/);
  for (const scheme of components.keys()) assert.match(scheme, /^[a-z][a-z0-9-]*$/);
});

test("every definition has one sentence of docs and a schema of options", () => {
  for (const definition of definitions) {
    assert.match(definition.docs, /^[A-Z`].*\.$/s, definition.docs);
    assert.ok(definition.options(z, checkSlots) instanceof z.ZodObject);
  }
});

test("what a string or a path fills is an option", () => {
  for (const { name, short, options } of [...steps.values(), ...formats.values()]) {
    if (short !== undefined) assert.ok(short in options(z, checkSlots).shape, name);
  }
  for (const { scheme, path, options, consumer, producer } of components.values()) {
    if (path !== undefined) assert.ok(path in options(z, checkSlots).shape, scheme);
    assert.ok(consumer !== undefined || producer !== undefined, scheme);
  }
});

/** A step's or a producer's example is one item of a list of steps, a consumer's a route. */
function flowOf(example: string): string {
  const item = example.split("\n").map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
  return example.startsWith("from:") ? item.join("\n") : routeOf(item.join("\n"));
}

/** Nothing may be called here, and there are no files. */
const outbound = new Set(
  [...catalog.components.values()]
    .filter(({ network, files }) => network !== undefined || files === true)
    .map(({ example }) => example),
);

const mappings = await withModules(() =>
  mappingsOf(
    { "order-status": { rows: [{ crm: "New", erp: "ZNEW" }] } },
    { "crm-erp": { mappings: { "/order/status": "$headers.status" } } },
  ),
);

/** What only an expansion names has no text of its own. */
const written = [...steps.values()].filter(({ internal }) => internal !== true);

for (const { example, docs } of [...written, ...components.values(), ...formats.values()]) {
  test(`example ${JSON.stringify(example.slice(0, 60))} runs (${docs})`, async () => {
    const { outcome, exchange, flow } = await withModules(() =>
      beginRoute(flowOf(example), { body: "7", headers: { name: "n", orderId: "1", status: "New" }, mappings }),
    );
    const { error } = await outcome;
    flow.life.halt();
    if (outbound.has(example) && !example.startsWith("from:"))
      assert.match(String(error), /has no network|no directory of its own|only checked has no connections/);
    else if (!example.startsWith("throwException")) assert.equal(error, undefined);
    assert.ok(exchange.message);
  });
}

for (const { name, example, docs } of elements.values()) {
  test(`example of ${name} runs (${docs})`, async () => {
    const { error } = await runRoute(example, { body: "7" });
    if (error !== undefined) assert.match(String(error), /no connection/);
  });
}

const order = new JsonText('{"orderNo": 7}', { orderNo: 7 });

for (const { name, example } of languages.values()) {
  test(`example of language ${name} runs: ${example}`, async () => {
    const { error } = await runRoute(routeOf(`- setBody: { ${name}: ${JSON.stringify(example)} }`), {
      body: name === "xpath" ? "<order><line><price>12</price><name>tea</name></line></order>" : order,
    });
    assert.equal(error, undefined);
  });
}
