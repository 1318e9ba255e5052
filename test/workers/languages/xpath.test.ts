/** xpath: results by type, names of the message, and the bounds of documents and evaluations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asText } from "../../../src/workers/engine/convert.ts";
import { routeOf, runRoute } from "../../support/run-route.ts";
import { failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

const body = "<a xmlns:p='u' at='1&amp;2'><b>1&amp;2</b><b x='1'><p:c/></b><z><b>3</b></z></a>";

test("nodes render as their markup, one after another; texts and attributes as what they say", async () => {
  const cases: readonly (readonly [path: string, text: string])[] = [
    ["//b", '<b>1&amp;2</b><b x="1"><p:c xmlns:p="u"/></b><b>3</b>'],
    ["//b/text()", "1&23"],
    ["/a/@at | //b/@x", "1&21"],
    ["(//b)[last()]", "<b>3</b>"],
    ["//b[position() = 1]/text()", "1&23"],
    ["//b[. = 3]/preceding::b[2]/text()", "1&2"],
    ["//none", ""],
  ];
  for (const [path, text] of cases) assert.equal(asText(await resultOf("xpath", path, { body })), text, path);
});

test("resultType and resultQName ask for text, a number, a truth or one node", async () => {
  const value = (path: string, options: Record<string, unknown>) => resultOf("xpath", path, { body, options });
  assert.equal(await value("count(//b)", { resultType: "java.lang.Integer" }), 3);
  assert.equal(await value("//b", { resultType: "String" }), "1&2");
  assert.equal(await value("//z/b", { resultQName: "NUMBER" }), 3);
  assert.equal(await value("//b = 3", { resultType: "Boolean" }), true);
  assert.equal(asText(await value("//b", { resultQName: "NODE" })), "<b>1&amp;2</b>");
  assert.match((await failureOf("xpath", "count(//b)", { body })) ?? "", /InvalidXPathException.*set resultType/);
});

test("variables and functions read the message, namespaces are declared", async () => {
  const route = { body, headers: { x: "5" }, properties: { q: "6" }, options: { resultType: "String" } };
  const text = "concat($x, $q, in:header('X'), header('x'), function:simple('${header.x}!'), /a/z)";
  assert.equal(await resultOf("xpath", text, route), "56555!3");
  assert.equal(await resultOf("xpath", "in:body()", { ...route, body: "<a/>" }), "<a/>");
  const namespace = [{ key: "n", value: "u" }];
  assert.equal(await resultOf("xpath", "count(//n:c)", { body, options: { resultType: "Integer", namespace } }), 1);
  assert.equal(
    await resultOf("xpath", "//b", {
      ...route,
      headers: { h: "<b>h</b>" },
      options: { resultType: "String", source: "header:h" },
    }),
    "h",
  );
  assert.match((await failureOf("xpath", "//n:c", { body })) ?? "", /Cannot resolve QName n/);
});

test("conditions: an empty set of nodes is false", async () => {
  for (const [path, expected] of [
    ["//b", true],
    ["//none", false],
    ["//b = '3'", true],
    ["count(//b) > 5", false],
  ] as const) {
    assert.equal(await holds("xpath", path, { body }), expected, path);
  }
});

test("split walks over the nodes", async () => {
  const yaml = routeOf('- split: { xpath: "//b", steps: [{ log: "${body}" }] }');
  const { logs, error } = await runRoute(yaml, { body });
  assert.equal(error, undefined);
  assert.deepEqual(
    logs.map(({ message }) => message),
    ["<b>1&amp;2</b>", '<b x="1"><p:c xmlns:p="u"/></b>', "<b>3</b>"],
  );
});

test("what is no XML, declares entities or fetches anything is refused", async () => {
  const bodies: readonly (readonly [body: unknown, why: RegExp])[] = [
    ["nope", /cannot be read as XML/],
    ["<a><b></a>", /cannot be read as XML/],
    ["<a b=c/>", /cannot be read as XML/],
    ["<a>&x;</a>", /cannot be read as XML/],
    ['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', /document type declaration/],
    ['<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', /document type declaration/],
    [{ a: 1 }, /neither text nor bytes/],
  ];
  for (const [bad, why] of bodies) assert.match((await failureOf("xpath", "//a", { body: bad })) ?? "", why);
  assert.deepEqual([...((await resultOf("xpath", "//a")) as Iterable<unknown>)], []);
});

test("documents and evaluations are bounded in depth, nodes, time and text", async () => {
  const deep = `${"<a>".repeat(600)}${"</a>".repeat(600)}`;
  assert.match(
    (await failureOf("xpath", "//a", { body: deep })) ?? "",
    /^LimitExceededException: XML nests at most 500 deep/,
  );
  const wide = `<r>${"<b/>".repeat(3000)}</r>`;
  const failure = async (path: string, limits: object) =>
    (await failureOf("xpath", path, { body: wide, limits })) ?? "";
  assert.match(await failure("//b", { messageBodyBytes: 20_000 }), /at most 457 tags and attributes/);
  assert.match(
    await failure("count(//*[count(preceding::*) > 5][count(following::*) > 5])", { scriptMs: 20 }),
    /scriptMs/,
  );
  const repeated = `concat(${Array(50).fill("/").join(", ")})`;
  const long = {
    body: `<a>${"x".repeat(30_000)}</a>`,
    limits: { messageBodyBytes: 1_000_000 },
    options: { resultType: "String" },
  };
  assert.match((await failureOf("xpath", repeated, long)) ?? "", /^LimitExceededException/);
});

test("a node found on many ways is one node, in the document's order", async () => {
  const body = `<r>${"<b/>".repeat(500)}</r>`;
  const options = { resultType: "Integer" };
  assert.equal(await resultOf("xpath", "count(//b/ancestor::*//b/ancestor::*//b)", { body, options }), 500);
});

test("a text that is no xpath and options of other engines are refused", async () => {
  const faults: readonly (readonly [path: string, why: RegExp])[] = [
    ["//b[", /xpath: '\[' is not closed/],
    ["concat('a', ')'", /xpath: '\(' is not closed/],
    ["//b[.='x]", /xpath: the text that begins with ' has no end/],
    ["//b[(.])", /xpath: unexpected '\]'/],
    ["//b)", /xpath: unexpected '\)'/],
    ["//b/", /xpath: it ends where more is needed/],
    ["1 div", /xpath: it ends where more is needed/],
    ["a b", /xpath: it is not valid XPath 1\.0/],
    ["a b/*", /xpath: it is not valid XPath 1\.0/],
    ["a b/div", /xpath: it is not valid XPath 1\.0/],
  ];
  for (const [path, why] of faults) assert.match(await refusalOf("xpath", path), why, path);
  assert.match(await refusalOf("xpath", "//b", { saxon: "true" }), /one XPath 1\.0 engine/);
  assert.match(
    await refusalOf("xpath", "//b", { documentType: "java.io.InputStream" }),
    /the document is an org\.w3c\.dom\.Document: leave it out/,
  );
});
