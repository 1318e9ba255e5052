/** Lists and maps as answers of webhooks, of paths of a route's own and of rest services: JSON, where Camel fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../support/flows.ts";
import { httpRoute, withFlow } from "../support/platform-http.ts";

const json = "application/json";
const own = "setHeader: { name: Content-Type, constant: application/x+json }";
const grouped =
  "split: { jq: '.[]', aggregationStrategy: '#class:org.apache.camel.processor.aggregate.GroupedExchangeAggregationStrategy', steps: [{ log: x }] }";

const answers: readonly (readonly [name: string, steps: readonly string[], type: string, text: string])[] = [
  ["list", ["setBody: { simple: '${list(1,2)}' }"], json, '["1","2"]'],
  ["empty-list", ["setBody: { simple: '${list()}' }"], json, "[]"],
  ["map", ["unmarshal: { json: {} }", "setBody: { simple: '${body[1]}' }"], json, '{"b":{}}'],
  ["empty-map", ["unmarshal: { json: {} }", "setBody: { simple: '${body[1][b]}' }"], json, "{}"],
  ["jq", ["setBody: { jq: 'map({n: .a})' }"], json, '[{"n":1},{"n":null}]'],
  ["jsonata", ["setBody: { jsonata: '{\"sum\": $sum(a)}' }"], json, '{"sum":1}'],
  ["js", ["setBody: { js: '({ a: [1] })' }"], json, '{"a":[1]}'],
  ["grouped", [grouped], json, '[{"a":1},{"b":{}}]'],
  ["typed", [own, "setBody: { simple: '${list(1,2)}' }"], "application/x+json", '["1","2"]'],
];

test("a list or a map is answered as JSON, with its Content-Type unless a step has set one", async (t) => {
  const flow = answers.map(
    ([name, steps]) =>
      webhook(`hook-${name}`, ...steps) +
      httpRoute(`path-${name}`, `/path-${name}`, ...steps) +
      `- rest: { path: /rest-${name}, post: [{ to: "direct:rest-${name}" }] }\n` +
      direct(`rest-${name}`, `rest-${name}`, ...steps),
  );
  const app = await withFlow(t, flow.join(""));
  // The type of the request is none of the answer's.
  const type = { "Content-Type": "application/vnd.x+json" };
  for (const [name, , expected, text] of answers) {
    for (const path of [`/api/hook-${name}`, `/path-${name}`, `/rest-${name}`]) {
      const answer = await app.send("POST", path, '[{"a":1},{"b":{}}]', type);
      const seen = [answer.status, answer.headers.get("content-type"), await answer.text()];
      assert.deepEqual(seen, [200, expected, text], path);
    }
  }
});
