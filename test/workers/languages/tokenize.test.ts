/** tokenize: the parts that Camel 4.22 gives (answers of the real one), without a list of them being made. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LazyList } from "../../../src/workers/engine/lazy-list.ts";
import { routeOf, runRoute } from "../../support/run-route.ts";
import { failureOf, holds, refusalOf, resultOf } from "./in-flow.ts";

async function parts(token: string, body: string, options: Record<string, unknown> = {}): Promise<unknown[]> {
  const value = await resultOf("tokenize", token, { body, headers: { t: "#", n: 2, h: "1,2" }, options });
  assert.ok(value instanceof LazyList);
  return [...value];
}

test("a token is a regular expression; delimiters at the ends make no parts", async () => {
  assert.deepEqual(await parts(",", "a,b,,c,"), ["a", "b", "", "c"]);
  assert.deepEqual(await parts(",", ",,a"), ["", "a"]);
  assert.deepEqual(await parts("\n", "a\nb"), ["a", "b"]);
  assert.deepEqual(await parts("[;,]", "a;b,,c;", { regex: true }), ["a", "b", "", "c"]);
  assert.deepEqual(await parts("|", "a|b"), ["a", "|", "b"]);
  assert.deepEqual(await parts(".", ".a.b..c"), ["", "", "", "", "", ""]);
  assert.deepEqual(await parts("${header.t}", "a#b"), ["a", "b"]);
  assert.deepEqual(await parts(",", "x", { source: "header:h" }), ["1", "2"]);
});

test("group, groupDelimiter and skipFirst", async () => {
  assert.deepEqual(await parts("\n", "h\nb\nc\nd\ne", { group: "2" }), ["h\nb", "c\nd", "e"]);
  assert.deepEqual(await parts("\n", "h\nb\nc\nd\ne", { group: "${header.n}", skipFirst: true, groupDelimiter: "|" }), [
    "b|c",
    "d|e",
  ]);
  assert.deepEqual(await parts("\n", "h\r\nb\nc", { skipFirst: true }), ["b", "c"]);
});

test("pairs of tokens, with and without them", async () => {
  assert.deepEqual(await parts("[", "x[a]y[][b]z[c", { endToken: "]" }), ["a", "", "b", "c"]);
  assert.deepEqual(await parts("<", "<a>zz>y<b>", { endToken: ">" }), ["a"]);
  assert.deepEqual(await parts("[S]", "x[S]a[E]y[S]b[E]", { endToken: "[E]", includeTokens: true }), [
    "[S]a[E]",
    "[S]b[E]",
  ]);
});

test("elements of XML, with the namespaces of another element", async () => {
  const nested = "<r><o id='1'>a</o> <o>b<o>in</o></o><o/><other>x</other><p:o>q</p:o></r>";
  assert.deepEqual(await parts("o", nested, { xml: true }), [
    "<o id='1'>a</o>",
    "<o>b<o>in</o>",
    "<o/>",
    "<p:o>q</p:o>",
  ]);
  assert.deepEqual(await parts("<p:o>", nested, { xml: true }), ["<p:o>q</p:o>"]);
  const declared = "<r xmlns='u' xmlns:p=\"v\"><o id='1'>a</o><o/></r>";
  assert.deepEqual(await parts("o", declared, { xml: true, inheritNamespaceTagName: "r" }), [
    "<o id='1' xmlns='u' xmlns:p=\"v\">a</o>",
    "<o xmlns='u' xmlns:p=\"v\"/>",
  ]);
  assert.deepEqual(await parts("o", "<r><o>a</o><o>b</o><o>c</o></r>", { xml: true, group: "2" }), [
    "<o>a</o><o>b</o>",
    "<o>c</o>",
  ]);
});

test("split takes the parts, everything else reads a list", async () => {
  const split = await runRoute(routeOf('- split: { tokenize: ",", steps: [{ log: "${body}" }] }'), { body: "a,b" });
  assert.deepEqual(
    split.logs.map(({ message }) => message),
    ["a", "b"],
  );
  const read = await runRoute(routeOf('- setBody: { tokenize: { token: "," } }\n- log: "${body[1]} ${body.size()}"'), {
    body: "a,b",
  });
  assert.equal(read.error, undefined);
  assert.deepEqual(
    read.logs.map(({ message }) => message),
    ["b 2"],
  );
  assert.equal(await holds("tokenize", "x", { body: "" }), true);
});

test("what excludes each other, no token and no text are refused", async () => {
  assert.match(await refusalOf("tokenize", "a", { endToken: "b", inheritNamespaceTagName: "c" }), /exclude each other/);
  assert.match(await refusalOf("tokenize", "a", { xml: true, endToken: "b" }), /exclude each other/);
  assert.match(await refusalOf("tokenize", "a", { includeTokens: true }), /needs an endToken/);
  assert.match(await refusalOf("tokenize", "("), /bad regular expression/);
  assert.match((await failureOf("tokenize", ",")) ?? "", /NullPointerException/);
  assert.match(
    (await failureOf("tokenize", ",", { body: "a", options: { group: "none" } })) ?? "",
    /group is a number/,
  );
});
