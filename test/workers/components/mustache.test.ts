/** mustache: what a template reaches, how values come into it, and what is refused; test/conformance has what Camel does. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { type RouteOptions, type RouteOutcome, runRoute } from "../../support/run-route.ts";

/** A flow with the template as its bean `t`. */
function flowOf(template: string, parameters: Record<string, unknown> = {}): string {
  const bean = { name: "t", type: "java.lang.String", scriptLanguage: "constant", script: template };
  const steps = [{ to: { uri: "mustache:ref:t", parameters } }];
  return JSON.stringify([
    { beans: [{ ...bean, scriptPropertyPlaceholders: false }] },
    { route: { id: "r", from: { uri: "direct:r", steps } } },
  ]);
}

interface Given extends RouteOptions {
  readonly parameters?: Record<string, unknown>;
}

function rendered(template: string, { parameters, ...route }: Given = {}): Promise<RouteOutcome> {
  return runRoute(flowOf(template, parameters), route);
}

async function bodyOf(template: string, given: Given = {}): Promise<unknown> {
  const { error, exchange } = await rendered(template, given);
  if (error !== undefined) throw error;
  return exchange.message.body;
}

async function failureOf(template: string, given: Given): Promise<string> {
  const { error } = await rendered(template, given);
  return `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

const json = { escape: "json" };

test("with escape=json any title leaves the payload whole, and three braces write the value as JSON", async () => {
  const template = `{"title": "{{body.title}}", "all": {{{body.all}}}, "none": {{{body.none}}}}`;
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue());
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), value, async (title, all) => {
      const text = String(await bodyOf(template, { body: { title, all }, parameters: json }));
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify({ title, all, none: null })));
    }),
    { numRuns: 60 },
  );
});

test("with escape=json maps and lists are JSON inside of quotation marks, too, and numbers their digits", async () => {
  const body = { map: { a: 'x"y' }, list: [1, "b"], big: 12345678901234567890n, at: new Date(0) };
  const text = String(
    await bodyOf(`["{{body.map}}", "{{body.list}}", {{body.big}}, {{{body.map}}}]`, { body, parameters: json }),
  );
  assert.deepEqual(JSON.parse(text), ['{"a":"x\\"y"}', '[1,"b"]', 12345678901234567000, { a: 'x"y' }]);
  assert.match(text, /12345678901234567890/);
});

test("html is the default, none writes text as it is", async () => {
  const body = { title: `"a" & <b>` };
  assert.equal(await bodyOf("{{body.title}}", { body }), "&quot;a&quot; &amp; &lt;b&gt;");
  assert.equal(await bodyOf("{{body.title}}", { body, parameters: { escape: "none" } }), `"a" & <b>`);
  assert.equal(await bodyOf("{{body}}", { body: { a: 1 }, parameters: { escape: "none" } }), "{a=1}");
});

test("nothing of prototypes and methods is in reach, whatever a name is", async () => {
  for (const name of [
    "constructor",
    "__proto__",
    "toString",
    "constructor.constructor",
    "hasOwnProperty",
    "map",
    "push",
  ]) {
    const template = `{{body.${name}}}|{{body.list.${name}}}|{{body.s.${name}}}|{{headers.${name}}}|{{variables.${name}}}|{{exception.${name}}}|{{#body}}{{${name}}}{{#${name}}}in{{/${name}}}{{/body}}`;
    assert.equal(await bodyOf(template, { body: { list: [1], s: "x" } }), "||||||", name);
  }
  assert.equal(await bodyOf("{{body.__proto__}}", { body: JSON.parse('{"__proto__": "own"}') }), "own");
});

test("template text in a value stays text", async () => {
  assert.equal(await bodyOf("{{body.a}}", { body: { a: "{{body.b}}${body}", b: "no" } }), "{{body.b}}${body}");
});

test("a bean's text keeps its tags with scriptPropertyPlaceholders: false, and is filled without", async () => {
  const flow = (kept: boolean): string =>
    JSON.stringify([
      {
        beans: [
          {
            name: "t",
            type: "java.lang.String",
            scriptLanguage: "constant",
            script: "{{stage:test}} {{body:none}}",
            scriptPropertyPlaceholders: kept,
          },
        ],
      },
      { route: { from: { uri: "direct:r", steps: [{ to: "mustache:ref:t?startDelimiter=[[&endDelimiter=]]" }] } } },
    ]);
  const body = async (kept: boolean): Promise<unknown> =>
    (await runRoute(flow(kept), { body: "x" })).exchange.message.body;
  assert.equal(await body(true), "test none");
  assert.equal(await body(false), "{{stage:test}} {{body:none}}");
});

test("what a template cannot be is refused with its place", async () => {
  for (const [template, why] of [
    ["a\n{{#body}}x", /template at line 2, column \d+: unclosed section "body"/],
    ["a\n {{title}}", /template at line 2, column 2: there is no 'title' here: a name begins with body, header/],
    ["{{exchange.id}}", /there is no 'exchange.id'/],
    ["{{in.body}}", /allowContextMapAll gives names that begin with exchangeProperty/],
    ["{{> part}}", /includes no others \('> part'\)/],
    ["{{.}}", /'.' is the value of a section/],
    ["{{body.}}", /'body.' is no name/],
    ["x".repeat(65_537), /a template has at most 65536 characters/],
    [`{{body${" ".repeat(1001)}}}`, /more than 1000 blanks in a row/],
    ["{{#body}}".repeat(51) + "{{/body}}".repeat(51), /sections nest at most 50 deep/],
  ] as const) {
    await assert.rejects(rendered(template), why, template.slice(0, 40));
  }
  await assert.rejects(rendered("x", { parameters: { startDelimiter: "a b" } }), /a delimiter has 1 to 20 characters/);
  await assert.rejects(rendered("x", { parameters: { escape: "xml" } }), /html.*json.*none/);
  for (const uri of ["x.mustache", "file:x", "classpath:x", "http://a.example/x", "bean:b.m", "gzip:x"]) {
    const flow = `- from: { uri: direct:r, steps: [{ to: "mustache:${uri}" }] }`;
    await assert.rejects(
      runRoute(flow),
      /reads no files, classpath or servers for a template: .*java\.lang\.String/,
      uri,
    );
  }
});

test("a text bean is a constant text", async () => {
  const bean = (more: string): string =>
    `- beans: [{ name: t, type: java.lang.String, ${more} }]\n- from: { uri: direct:r, steps: [{ to: "mustache:ref:t" }] }`;
  for (const more of [
    "properties: { a: b }",
    "scriptLanguage: groovy, script: x",
    "scriptLanguage: constant",
    "constructors: { 0: x }",
  ])
    await assert.rejects(
      runRoute(bean(more)),
      /bean 't' of type 'java.lang.String' is a text: write 'scriptLanguage/,
      more,
    );
  await assert.rejects(
    runRoute(bean("scriptLanguage: constant, script: x, scriptPropertyPlaceholders: maybe")),
    /'scriptPropertyPlaceholders' is true or false/,
  );
});

test("sections end in time, and texts at the size of a message", async () => {
  const list = Array.from({ length: 300 }, (_, at) => at);
  const inner = "{{#body}}".repeat(4) + "{{/body}}".repeat(4);
  assert.match(
    await failureOf(inner, { body: list, limits: { scriptMs: 50 } }),
    /^LimitExceededException: .*runs for at most 50 ms/,
  );
  const wide = "{{#body}}{{#body}}0123456789{{/body}}{{/body}}";
  assert.match(await failureOf(wide, { body: list, limits: { messageBodyBytes: 10_000 } }), /^LimitExceededException/);
  const nested = Array(5000).fill("x".repeat(100));
  assert.match(
    await failureOf("{{body}}", { body: nested, limits: { messageBodyBytes: 10_000 } }),
    /^LimitExceededException/,
  );
});

test("a template that messages bring is interpreted, and is read again only when it changes", async () => {
  const parameters = { allowTemplateFromHeader: true };
  const body = { title: "T" };
  for (const [template, expected] of [
    ["<{{body.title}}>", "<T>"],
    ["{{#body.constructor}}return process{{/body.constructor}}", ""],
    ["${body} {{body.title}}", "${body} T"],
  ] as const) {
    assert.equal(await bodyOf("own", { body, parameters, headers: { CamelMustacheTemplate: template } }), expected);
  }
  const failure = await failureOf("own", { body, parameters, headers: { CamelMustacheTemplate: "{{title}}" } });
  assert.match(
    failure,
    /^com\.github\.mustachejava\.MustacheException: the template at line 1, column 1: there is no 'title'/,
  );
  assert.match(
    await failureOf("own", { parameters, headers: { CamelMustacheResourceUri: "file:/etc/passwd" } }),
    /^java\.io\.IOException: 'file:\/etc\/passwd': a flow reads no files/,
  );
});
