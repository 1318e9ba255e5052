/** What jq, jsonata, js and message mappings make of JSON: its JSON text wherever a text is wanted, a value everywhere else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeBody, encodeHeaders } from "../../../src/workers/bodies.ts";
import { asText } from "../../../src/workers/engine/convert.ts";
import { withModules } from "../../../src/workers/engine/late-module.ts";
import { JsonText } from "../../../src/workers/engine/message.ts";
import { anExchange } from "../../support/exchange.ts";
import { compileYaml, routeOf, runSteps } from "../../support/run-route.ts";
import { mappingsOf } from "../../support/with-mappings.ts";

const mapping = {
  name: "m",
  language: "jsonata",
  source: { format: "json", sample: {} },
  target: { format: "json" },
  rules: [{ target: "", expr: "$" }],
};
const makers = [
  { setBody: { jq: "." } },
  { setBody: { jsonata: "$" } },
  { setBody: { js: "JSON.parse(body)" } },
  { script: { js: "message.body = JSON.parse(body)" } },
  { messageMapping: "m" },
];
const texts = [
  { setVariable: { name: "simple", simple: "<${body}>" } },
  { setVariable: { name: "nested", simple: "${body[n]}!" } },
  { setHeader: { name: "part", simple: "${body[n]}" } },
  { log: "${body}" },
  { convertVariableTo: { name: "v", type: "String" } },
];
const names = fc.constantFrom("a", "b c", "ü", "constructor");
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.integer(),
    fc.string({ maxLength: 4 }),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(names, tie("json"), { maxKeys: 3 }),
  ),
}));

for (const maker of makers) {
  const [name] = Object.entries(maker).map(([step, text]) => `${step} ${JSON.stringify(text)}`);
  test(`${name}: every text of what it makes is its JSON`, async () => {
    const mappings = await withModules(() => mappingsOf({}, { m: mapping }));
    const steps = [maker, { setVariable: { name: "v", simple: "${body}" } }, ...texts];
    const { processor } = await withModules(() => compileYaml(routeOf(JSON.stringify(steps))).route(0));
    await fc.assert(
      fc.asyncProperty(fc.dictionary(names, json), json, async (object, value) => {
        const n = { list: [value], object };
        const text = JSON.stringify({ n });
        const logged: string[] = [];
        const sink = {
          logLevel: 0,
          log: (_slot: number, _step: number, _level: number, _logger: string, line: string) => logged.push(line),
        };
        const exchange = anExchange({ body: text, sink });
        exchange.run.mappings = mappings;
        await processor(exchange);
        const { message, variables } = exchange;
        assert.equal(asText(message.body), text);
        assert.equal(encodeBody(message.body, 1e6).body, text);
        assert.equal(variables.get("simple"), `<${text}>`);
        assert.equal(variables.get("nested"), `${JSON.stringify(n)}!`);
        assert.equal(variables.get("v"), text);
        assert.deepEqual(logged, [text]);
        assert.equal(asText(message.headers.get("part")), JSON.stringify(n));
      }),
      { numRuns: 15 },
    );
  });
}

test("a list that jq made is a repeated header in an answer, each of its parts as JSON", async () => {
  const { exchange } = await runSteps('- setHeader: { name: Link, jq: "[1, {a: .b}]" }', { body: '{"b":2}' });
  assert.equal(encodeHeaders(exchange), 'Link\n1\nLink\n{"a":2}');
});

test("what jq made is looked into, walked, counted and compared as a value", async () => {
  const steps = `
- setVariable: { name: v, jq: "{a: [1, {b: 2}], c: 1}" }
- setVariable: { name: w, jq: "{c: 1, a: [1, {b: 2}]}" }
- setHeader: { name: path, simple: "\${variable.v[a][1][b]} \${variable.v.a.size} \${size(\${variable.v[a]})}" }
- setHeader: { name: same, simple: { expression: "\${variable.v} == \${variable.w}", resultType: boolean } }
- setHeader: { name: within, simple: { expression: "1 in \${variable.v[a]}", resultType: boolean } }
- setHeader: { name: has, simple: { expression: "\${variable.v[a]} contains 1", resultType: boolean } }
- setHeader: { name: map, jq: { expression: ".", source: "variable:v", resultType: java.util.Map } }
- convertHeaderTo: { name: map, type: String }`;
  const { exchange, error } = await runSteps(steps.replace('"1 in', '"${variable.v[c]} in'), { body: "{}" });
  assert.equal(error, undefined);
  const read = (name: string) => exchange.message.headers.get(name);
  assert.equal(read("path"), "2 2 2");
  assert.deepEqual([read("same"), read("within"), read("has")], [true, true, true]);
  assert.equal(read("map"), "{a=[1, {b=2}], c=1}");
});

test("JSON that a step or a function changes stays JSON, a map stays a map", async () => {
  const steps = `
- setHeader: { name: add, simple: "\${mapAdd(c,3)}" }
- setHeader: { name: list, simple: "\${listAdd(\${body[b]},x)} \${body[b]}" }
- setHeader: { name: is, simple: { expression: "\${body} is 'Map' && \${body[b]} is 'List'", resultType: boolean } }
- setHeader: { name: again, simple: "<\${body}>" }
- valueMapping: { id: codes, input: x, output: body.b.0 }`;
  const mappings = mappingsOf({ codes: { rows: [{ from: "x", to: "y" }] } });
  const seen = async (maker: string) => {
    const { exchange, error } = await runSteps(`- ${maker}${steps}`, { body: '{"a":1,"b":[1]}', mappings });
    assert.equal(error, undefined);
    const { headers, body } = exchange.message;
    return [...["add", "list", "is", "again"].map((name) => asText(headers.get(name))), asText(body)];
  };
  const added = '{"a":1,"b":[1],"c":"3"}';
  assert.deepEqual(await seen("setBody: { jq: . }"), [
    added,
    '[1,"x"] [1]',
    "true",
    `<${added}>`,
    '{"a":1,"b":["y"],"c":"3"}',
  ]);
  assert.equal((await seen("unmarshal: { json: {} }")).at(-1), "{a=1, b=[y, x], c=3}");
});

test("JSON that came as text keeps its text in a list and in a map, and is JSON to languages there", async () => {
  const steps = `
- setHeader: { name: list, simple: "\${list(\${body},x)}" }
- setHeader: { name: map, simple: "\${map(k,\${body})}" }
- setHeader: { name: added, simple: "\${listAdd(\${header.list},\${body})}" }
- setHeader: { name: texts, simple: "\${header.list} \${header.map} \${header.added}" }
- setHeader: { name: n, jq: { expression: "[.[] | numbers, objects | .n]", source: header:added } }`;
  const { exchange, error } = await runSteps(steps, { body: new JsonText('{ "n": 1 }', { n: 1 }) });
  assert.equal(error, undefined);
  const { headers } = exchange.message;
  const text = '{ "n": 1 }';
  assert.equal(headers.get("texts"), `[${text}, x, ${text}] {k=${text}} [${text}, x, ${text}]`);
  assert.equal(asText(headers.get("n")), "[1,1]");
});
