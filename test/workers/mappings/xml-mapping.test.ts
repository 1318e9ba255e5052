/** Message mappings with XML on either side. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { acceptedMessageMapping } from "../../support/with-mappings.ts";
import { failureOf, mapped } from "./map-message.ts";

const xml = { format: "xml" };
const order = `<?xml version="1.0"?>
<o:order xmlns:o="urn:o" id="17" o:kind="rush">
  <customer>Ada &amp; Co</customer>
  <line sku="A">2</line>
  <line sku="B"><![CDATA[<3>]]></line>
  <empty/>
  <note lang="en">careful <b>now</b></note>
</o:order>`;

test("XML is read with @attributes and #text, what repeats as a list", async () => {
  assert.deepEqual(await mapped({ expression: "$", source: xml }, order), {
    order: {
      "@id": "17",
      "@kind": "rush",
      customer: "Ada & Co",
      line: [
        { "@sku": "A", "#text": "2" },
        { "@sku": "B", "#text": "<3>" },
      ],
      empty: "",
      note: { "@lang": "en", b: "now", "#text": "careful" },
    },
  });
  const rules = { id: "order.`@id`", first: "order.line[0].`#text`", city: "order.city" };
  assert.deepEqual(await mapped({ mappings: rules, source: xml }, order), { id: "17", first: "2" });
});

test("a forEach goes through one element as through many", async () => {
  const document = { rules: [{ target: "/skus", forEach: "order.line", expr: "`@sku`" }], source: xml };
  assert.deepEqual(await mapped(document, '<order><line sku="A"/></order>'), { skus: ["A"] });
  assert.deepEqual(await mapped(document, '<order><line sku="A"/><line sku="B"/></order>'), { skus: ["A", "B"] });
});

test("XML is written from the same form", async () => {
  const document = {
    target: xml,
    rules: [
      { target: "/Order/@xmlns", expr: "'urn:erp'" },
      { target: "/Order/@id", expr: "id" },
      { target: "/Order/Note", expr: "note" },
      {
        target: "/Order/Line",
        forEach: "lines",
        rules: [
          { target: "/@no", expr: "$index + 1" },
          { target: "/#text", expr: "$" },
        ],
      },
      { target: "/Order/Flag", expr: "true" },
      { target: "/Order/Nothing", expr: "null" },
    ],
  };
  const result =
    '<Order xmlns="urn:erp" id="&quot;1&quot; &amp; 2"><Note>a &lt; b</Note><Line no="1">x</Line><Line no="2">y</Line><Flag>true</Flag><Nothing/></Order>';
  assert.equal(await mapped(document, { id: '"1" & 2', note: "a < b", lines: ["x", "y"] }), result);
  const back = (await mapped({ expression: "$", source: xml }, result)) as object;
  assert.deepEqual(back, {
    Order: {
      "@id": '"1" & 2',
      Note: "a < b",
      Line: [
        { "@no": "1", "#text": "x" },
        { "@no": "2", "#text": "y" },
      ],
      Flag: "true",
      Nothing: "",
    },
  });
});

test("what XML cannot hold is told", async () => {
  const fails = (expression: string) => failureOf({ expression, target: xml }, { l: [1, 2] });
  assert.match(
    await fails("{'a': 1, 'b': 2}"),
    /JsonMappingException: mapping 'm': an XML document has one root element/,
  );
  assert.match(await fails("{'a': l}"), /one root element/);
  assert.match(await fails("'text'"), /one root element/);
  assert.match(await fails("{'a': {'1 b': 2}}"), /'1 b' cannot be the name of an XML element/);
  assert.match(await fails("{'a': {'@b': {'c': 1}}}"), /hold one value each/);
  assert.match(await failureOf({ expression: "$", source: xml }, "<a><b></a>"), /JsonParseException: mapping 'm': /);
  assert.match(await failureOf({ expression: "$", source: xml }, ""), /mapping 'm': /);
  assert.match(
    await failureOf({ expression: "$", source: xml }, "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"),
    /Undeclared general entity/,
  );
});

test("tests of a mapping take XML as text or in its form", async () => {
  const document = {
    source: xml,
    target: xml,
    mappings: { "/b/c": "a.x" },
    tests: [
      { input: "<a><x>1</x></a>", expect: "<b> <c>1</c> </b>" },
      { input: { a: { x: 1 } }, expect: { b: { c: "1" } } },
    ],
  };
  const { facts } = await withModules(() => acceptedMessageMapping(document));
  assert.deepEqual(facts.tests, { passed: 2, failed: 0 });
});
