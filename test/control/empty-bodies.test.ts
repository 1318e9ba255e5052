/** Requests without a byte, and answers without a body: the table of docs/platform-http.md, for each kind of route. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { direct, webhook } from "../support/flows.ts";
import { httpRoute, withFlow } from "../support/platform-http.ts";

const blank = 'setBody: { constant: { expression: " ", trim: false } }';
const status = "setHeader: { name: CamelHttpResponseCode, constant: 201 }";

/** What the steps leave, what a webhook answers to `x` then, and what the two others do. */
const answers: readonly (readonly [left: string, steps: readonly string[], webhook: string, others: string])[] = [
  ["never written", ["log: seen"], "200 ok", "200 x"],
  ["null", ['setBody: { simple: "${null}" }'], "204 ", "204 "],
  ["an empty text", ['setBody: { constant: "" }'], "204 ", "204 "],
  ["a blank text", [blank], "204 ", "204 "],
  ["a blank text with a status", [blank, status], "201  ", "201  "],
  ["an empty text with a status", ['setBody: { constant: "" }', status], "201 ", "201 "],
  ["an xpath without a match", ["setBody: { constant: <a/> }", 'setBody: { xpath: "//b" }'], "204 ", "204 "],
  ["an empty list", ["setBody: { constant: '[]' }", "unmarshal: { json: {} }"], "200 []", "200 []"],
  ["an empty map", ["setBody: { constant: '{}' }", "unmarshal: { json: {} }"], "200 {}", "200 {}"],
  ["no bytes", ['setBody: { constant: "" }', "convertBodyTo: { type: 'byte[]' }"], "200 ", "200 "],
];

const tells = [
  'choice: { when: [{ simple: "${body} == null", steps: [{ setHeader: { name: seen, constant: nothing } }] }, { simple: "${body} == \'\'", steps: [{ setHeader: { name: seen, constant: "empty text" } }] }], otherwise: { steps: [{ setHeader: { name: seen, simple: "${body}" } }] } }',
  "split: { tokenize: ',', steps: [{ setBody: { constant: never } }] }",
  "setBody: { constant: told }",
];

const verbs = ["get", "post", "put", "patch", "delete"] as const;

const flow = [
  ...answers.map(([, steps], at) => webhook(`w${at}`, ...steps)),
  ...answers.map(([, steps], at) => httpRoute(`p${at}`, `/p${at}`, ...steps)),
  `- rest: { path: /r, post: [${answers.map((_, at) => `{ path: "/${at}", to: "direct:d${at}" }`).join(", ")}] }\n`,
  ...answers.map(([, steps], at) => direct(`d${at}`, `d${at}`, ...steps)),
  webhook("seen", ...tells),
  httpRoute("seenAt", "/seen", ...tells.filter((step) => !step.startsWith("split"))),
  `- rest: { path: /verbs, ${verbs.map((verb) => `${verb}: [{ to: "direct:${verb}" }]`).join(", ")} }\n`,
  ...verbs.map((verb) => direct(verb, verb, ...tells.filter((step) => !step.startsWith("split")))),
].join("");

test("answers without a body, of a webhook, platform-http and rest", async (t) => {
  const app = await withFlow(t, flow);
  const asked = async (path: string): Promise<string> => {
    const answer = await app.send("POST", path, "x", { "content-type": "text/plain" });
    return `${answer.status} ${await answer.text()}`;
  };
  const found: unknown[] = [];
  for (let at = 0; at < answers.length; at++) {
    found.push([answers[at]?.[0], await asked(`/api/w${at}`), await asked(`/p${at}`), await asked(`/r/${at}`)]);
  }
  assert.deepEqual(
    found,
    answers.map(([left, , ofWebhook, others]) => [left, ofWebhook, others, others]),
  );
});

test("a request without a byte brings an empty text with POST, PUT and PATCH, nothing with GET, HEAD and DELETE", async (t) => {
  const app = await withFlow(t, flow);
  const types = [undefined, "application/json", "application/octet-stream", "application/x-www-form-urlencoded"];
  for (const type of types) {
    const seen = async (method: string, path: string): Promise<string | null> => {
      const answer = await app.send(method, path, undefined, type === undefined ? {} : { "content-type": type });
      return answer.headers.get("seen");
    };
    assert.equal(await seen("POST", "/api/seen"), "empty text", `webhook ${type}`);
    for (const method of ["POST", "PUT", "PATCH", "GET", "HEAD", "DELETE"]) {
      const expected = method.startsWith("P") ? "empty text" : "nothing";
      assert.equal(await seen(method, "/seen"), expected, `platform-http ${method} ${type}`);
      if (method !== "HEAD") assert.equal(await seen(method, "/verbs"), expected, `rest ${method} ${type}`);
    }
  }
});
