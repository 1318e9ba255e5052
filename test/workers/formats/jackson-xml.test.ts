/** The data format `jacksonXml`; what is expected is what Jackson 2.19's XmlMapper does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf, marshalled, outcomeOf, refusalOf, unmarshalled } from "./translate.ts";

const reading: readonly (readonly [xml: string, value: unknown])[] = [
  ['<a><b>1</b><b>2</b><c x="1">t</c></a>', { b: ["1", "2"], c: { x: "1", "": "t" } }],
  ["<a x='1'>hi</a>", { x: "1", "": "hi" }],
  ["<a>hi</a>", { "": "hi" }],
  ["<a/>", {}],
  ["<a></a>", {}],
  ["<a><b></b><c> </c><d> x </d></a>", { b: "", c: " ", d: " x " }],
  ["<a>hi<b>1</b>there</a>", { "": ["hi", "there"], b: "1" }],
  ["<a><b>1</b><c>2</c><b>3</b></a>", { b: ["1", "3"], c: "2" }],
  ["<a><b x='1'/><b x='2'>t</b></a>", { b: [{ x: "1" }, { x: "2", "": "t" }] }],
  ["<n:a xmlns:n='u' n:x='1'><n:b>1</n:b></n:a>", { x: "1", b: "1" }],
  ["<a xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><b xsi:nil='true'/></a>", { b: null }],
  ["<a><b><![CDATA[<x>&amp;]]></b></a>", { b: "<x>&amp;" }],
  ["<a><b>&amp;&#65;&#x1F600;&lt;</b></a>", { b: "&A\u{1f600}<" }],
  ["<a><b x='1'><x>2</x></b></a>", { b: { x: ["1", "2"] } }],
  ["<?xml version='1.0'?><!-- c --><a><!-- c --><b>1<!-- c -->2</b></a>", { b: "12" }],
  ["<a><b><c>1</c><c>2</c></b><b><c>3</c></b></a>", { b: [{ c: ["1", "2"] }, { c: "3" }] }],
  ["<a>\n  <b>1</b>\n</a>", { b: "1" }],
  ["<a>1<b/>2<c/>3</a>", { "": ["1", "2", "3"], b: "", c: "" }],
  ["<a><c>a\r\nb</c></a>", { c: "a\nb" }],
  ["<a><constructor>1</constructor><toString/><prototype/></a>", { constructor: "1", toString: "", prototype: "" }],
];

for (const [xml, value] of reading) {
  test(`reads ${JSON.stringify(xml)}`, async () => {
    assert.deepEqual(await unmarshalled("jacksonXml: {}", xml), value);
  });
}

test("an element may be called __proto__", async () => {
  const { exchange } = await outcomeOf("- unmarshal: {jacksonXml: {}}", "<a><__proto__>1</__proto__></a>");
  assert.equal(JSON.stringify(exchange.message.body), '{"__proto__":"1"}');
});

test("what is not well-formed fails, and entities of a document type are not expanded", async () => {
  const read = "- unmarshal: {jacksonXml: {}}";
  const malformed = ["x", "<a><b></a>", "<a x='1' x='2'/>", "<a b=1/>", "<a>1 < 2</a>", "<a>a & b</a>", "<1/>", ""];
  for (const xml of malformed)
    assert.match(await failureOf(read, xml), /^com\.fasterxml\.jackson\.core\.JsonParseException: /);
  const entity = "<!DOCTYPE a [<!ENTITY e 'zz'>]><a><b>&e;</b></a>";
  assert.match(await failureOf(read, entity), /JsonParseException: Undeclared general entity "e"$/);
  const deep = `${"<a>".repeat(5000)}${"</a>".repeat(5000)}`;
  assert.match(await failureOf(read, deep), /JsonParseException: /);
});

test("a text of nothing but tags or references is bounded by their number", async () => {
  const limits = { messageBodyBytes: 1000 };
  for (const xml of [`<r>${"<a/>".repeat(130)}</r>`, `<r>${"&lt;".repeat(130)}</r>`]) {
    assert.match(
      await failureOf("- unmarshal: {jacksonXml: {}}", xml, { limits }),
      /^LimitExceededException: an XML document/,
    );
  }
});

test("useList is the list of the root's elements", async () => {
  const xml = "<r><i><a>1</a></i><i><a>2</a></i></r>";
  assert.deepEqual(await unmarshalled("jacksonXml: {useList: true}", xml), [{ a: "1" }, { a: "2" }]);
  assert.deepEqual(
    await unmarshalled("jacksonXml: {useList: true, unmarshalType: java.lang.Object}", "<r><i>1</i><j>2</j></r>"),
    ["1", "2"],
  );
  const failure = await failureOf("- unmarshal: {jacksonXml: {useList: true}}", "<r><i>1</i></r>");
  assert.match(failure, /MismatchedInputException/);
});

const writing: readonly (readonly [value: unknown, xml: string])[] = [
  [
    { a: 1, b: [1, 2], c: null, d: "", e: {}, f: [], g: true, h: 1.5, i: { j: "<&>\"'" }, k: "a]]>b", l: ">x" },
    "<LinkedHashMap><a>1</a><b>1</b><b>2</b><c/><d></d><e/><g>true</g><h>1.5</h><i><j>&lt;&amp;>\"'</j></i><k>a]]&gt;b</k><l>&gt;x</l></LinkedHashMap>",
  ],
  [[1, 2], "<ArrayList><item>1</item><item>2</item></ArrayList>"],
  [[], "<ArrayList/>"],
  [{}, "<LinkedHashMap/>"],
  ["s", "<String>s</String>"],
  [12, "<Integer>12</Integer>"],
  [99999999999, "<Long>99999999999</Long>"],
  [3.5, "<Double>3.5</Double>"],
  [true, "<Boolean>true</Boolean>"],
  [null, "<null/>"],
  [{ b: [[1, 2], [3]] }, "<LinkedHashMap><b>1</b><b>2</b><b>3</b></LinkedHashMap>"],
  [{ b: [{ c: [1] }, null, "x"] }, "<LinkedHashMap><b><c>1</c></b><b/><b>x</b></LinkedHashMap>"],
  [{ a: "  x \u{1f600}\r\n" }, "<LinkedHashMap><a>  x \u{1f600}&#xd;\n</a></LinkedHashMap>"],
];

for (const [value, xml] of writing) {
  test(`writes ${JSON.stringify(value).slice(0, 60)}`, async () => {
    assert.equal(await marshalled("jacksonXml: {}", value), xml);
  });
}

test("prettyPrint is an element a line, and the Content-Type is set", async () => {
  const value = { a: 1, b: [1, { c: 2 }], e: {}, n: null };
  const lines = [
    "<LinkedHashMap>",
    "  <a>1</a>",
    "  <b>1</b>",
    "  <b>",
    "    <c>2</c>",
    "  </b>",
    "  <e/>",
    "  <n/>",
    "</LinkedHashMap>",
    "",
  ];
  assert.equal(await marshalled("jacksonXml: {prettyPrint: true}", value), lines.join("\n"));
  const { exchange } = await outcomeOf("- marshal: {jacksonXml: {include: NON_NULL}}", value);
  assert.equal(exchange.message.headers.get("Content-Type"), "application/xml");
  assert.ok(!new TextDecoder().decode(exchange.message.body as Uint8Array).includes("<n/>"));
});

test("keys that are no names, and characters that XML has not, cannot be written", async () => {
  const write = "- marshal: {jacksonXml: {}}";
  for (const key of ["a b", "1", "", "a>b"]) {
    assert.match(
      await failureOf(write, { [key]: 1 }),
      /JsonMappingException: '.*' cannot be the name of an XML element/,
    );
  }
  assert.match(await failureOf(write, { a: "\u0001" }), /JsonMappingException: the text has a character/);
});

test("beans and classes are refused", async () => {
  assert.match(
    await refusalOf("- marshal: {jacksonXml: {xmlMapper: mine}}"),
    /'xmlMapper' of data format 'jacksonXml' is refused/,
  );
});
