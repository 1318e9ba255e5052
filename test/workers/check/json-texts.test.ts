/** JSON that simple makes of a message's values, which are not escaped, is accepted with a warning that shows how to make it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsOf } from "./real-catalog.ts";

async function warned(step: string): Promise<readonly string[]> {
  const yaml = `- route:\n    id: main\n    from:\n      uri: direct:start\n      steps:\n        - ${step}\n`;
  return (await warningsOf(yaml)).filter((line) => line.includes("unescaped_json"));
}

const body = (text: string): string => `setBody: { simple: ${JSON.stringify(text)} }`;

const examples = [
  ['{"title": "${body.title}"}', "${body.title}", '{"title": title}'],
  ['{"title": "${body[title]}", "n": 1}', "${body[title]}", '{"title": title}'],
  ['{"who": {"name": "${header.who}"}}', "${header.who}", '{"name": $headers.who}'],
  ['[{"no": "${variable.orderNo}"}]', "${variable.orderNo}", '{"no": $variables.orderNo}'],
  ['{"a": "${exchangeProperty[b]}"}', "${exchangeProperty[b]}", '{"a": $properties.b}'],
  ['{"total": ${header.total}}', "${header.total}", '{"total": $headers.total}'],
  ['{"text": "order ${body.no} of ${header.who}"}', "${body.no}", '{"name": name}'],
  ['{"error": "${exception.message}"}', "${exception.message}", '{"name": name}'],
  ['{\n  "id": "${uuid}",\n  "text": "${body}"\n}\n', "${body}", '{"name": name}'],
] as const;

test("the warning names the value, and shows the JSON in jsonata", async () => {
  for (const [text, value, shown] of examples) {
    const [warning = "none", ...others] = await warned(body(text));
    assert.deepEqual(others, [], text);
    assert.match(warning, /^6:\d+ unescaped_json /);
    assert.ok(warning.includes(`'${value}' goes into this JSON as it is`), `${text}: ${warning}`);
    assert.ok(warning.includes(`jsonata: '${shown}'`), `${text}: ${warning}`);
    assert.deepEqual(await warned(`setBody: { jsonata: ${JSON.stringify(shown)} }`), []);
  }
});

test("steps that set headers, properties and variables, and transform, warn, too", async () => {
  const json = JSON.stringify('{"a": "${body.b}"}');
  for (const step of [
    `transform: { simple: ${json} }`,
    `setHeader: { name: h, simple: ${json} }`,
    `setProperty: { name: p, expression: { simple: { expression: ${json} } } }`,
    `setVariables: { variables: [{ name: a, constant: b }, { name: c, simple: ${json} }] }`,
    `choice: { when: [{ simple: "\${body} == 1", steps: [{ setBody: { simple: ${json} } }] }] }`,
  ])
    assert.equal((await warned(step)).length, 1, step);
});

test("nothing is said of texts that are no JSON, and of values that need no escape", async () => {
  for (const text of [
    "${body}",
    "[${header.level}] ${body}",
    "[${body}]",
    "{${body}}",
    '{"fixed": "text"}',
    '{"body": ${body}}',
    '{"list": [${variable.all}]}',
    '{"at": "${date:now:yyyy-MM-dd}", "id": "${exchangeId}", "uuid": "${uuid(random)}"}',
    '{"n": ${sum(${body[amount]}, 10)}, "index": "${exchangeProperty.CamelSplitIndex}"}',
    '{"safe": "${body.replace(a,b)}", "size": "${body.size}"}',
    '{"value": ${body} and more}',
  ])
    assert.deepEqual(await warned(body(text)), [], text);
  const json = JSON.stringify('{"a": "${body.b}"}');
  assert.deepEqual(await warned(`log: ${json}`), []);
  assert.deepEqual(await warned(`filter: { simple: "\${body} == '{}'", steps: [{ log: x }] }`), []);
});
