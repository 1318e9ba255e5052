/** Each expression language in a real thread, with the few rights that it has: their libraries are loaded there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp } from "../support/start-app.ts";

/** Text of the language, the body of the call, the answer. */
const cases: readonly (readonly [language: string, expression: unknown, body: string, answer: string])[] = [
  ["jsonpath", "$.lines[?(@.price > 10)].name", '{"lines": [{"price": 12, "name": "tea"}]}', '["tea"]'],
  ["jq", "[.lines[] | .price] | add", '{"lines": [{"price": 12}, {"price": 3}]}', "15"],
  ["jsonata", "$sum(lines.price) & ' ' & $uppercase('eur')", '{"lines": [{"price": 12}, {"price": 3}]}', "15 EUR"],
  ["xpath", "//name", "<lines><name>tea</name><name>milk</name></lines>", "<name>tea</name><name>milk</name>"],
  ["tokenize", ";", "a;b", '["a","b"]'],
  ["js", "JSON.parse(body).lines.map((line) => line.name).join()", '{"lines": [{"name": "tea"}]}', "tea"],
];

const routes = cases.map(([language, expression]) => ({
  route: { id: language, from: { uri: "webhook", steps: [{ setBody: { [language]: expression } }] } },
}));

test("every language answers in a thread, and a loop in a script ends there", async (t) => {
  const app = await startTestApp(t, { limits: { scriptMs: 10_000 } });
  const loop = {
    route: {
      id: "loop",
      from: {
        uri: "webhook",
        steps: [
          {
            doTry: {
              steps: [{ script: { js: "for (;;);" } }],
              doCatch: [
                { exception: ["java.lang.Exception"], steps: [{ setBody: { simple: "${exception.message}" } }] },
              ],
            },
          },
        ],
      },
    },
  };
  const put = await app.put("languages", JSON.stringify([...routes, loop]), { limits: { scriptMs: 10_000 } });
  assert.equal(put.status, 201, await put.text());
  for (const [language, , body, answer] of cases) {
    const reply = await app.post(`/api/${language}`, body, { "Content-Type": "text/plain" });
    assert.equal(await reply.text(), answer, language);
    assert.equal(reply.status, 200, language);
  }
  const quick = await app.put("quick", JSON.stringify([{ ...loop, route: { ...loop.route, id: "quick" } }]), {
    limits: { scriptMs: 50 },
  });
  assert.equal(quick.status, 201, await quick.text());
  assert.match(await (await app.post("/api/quick")).text(), /runs for at most 50 ms/);
});

test("languages of the JVM are refused with what to write in their place", async (t) => {
  const app = await startTestApp(t);
  const flow = (language: string) =>
    JSON.stringify([{ from: { uri: "timer:t", steps: [{ setBody: { [language]: "x" } }] } }]);
  for (const [language, hint] of [
    ["groovy", /write the expression in js/],
    ["datasonnet", /jsonata/],
    ["xtokenize", /tokenize/],
  ] as const) {
    const reply = await app.put("refused", flow(language));
    assert.equal(reply.status, 422);
    assert.match(await reply.text(), hint);
  }
});
