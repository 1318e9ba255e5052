/** `POST /_api/test/expression`: what an expression gives for a message of the caller's. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { assertError, send } from "../api/calls.ts";

async function evaluate(app: TestApp, body: object): Promise<Record<string, unknown>> {
  const answer = await send(app, "POST", "/test/expression", { body });
  assert.equal(answer.status, 200);
  return (await answer.json()) as Record<string, unknown>;
}

test("an expression is evaluated on the message that comes along", async (t) => {
  const app = await startTestApp(t, { limits: { checkMs: 2000 } });
  const order = { body: { total: 5, lines: [{ sku: "a" }] }, headers: { "X-Who": "me" } };
  const cases: readonly (readonly [body: object, value: unknown])[] = [
    [{ language: "simple", expression: "${body[total]} for ${header.x-who}" }, "5 for me"],
    [{ language: "simple", expression: "${body[total]} > 4", condition: true }, true],
    [{ language: "simple", expression: "${body[total]}", resultType: "java.lang.String" }, "5"],
    [{ language: "simple", expression: "${properties:region}", params: { region: "north" } }, "north"],
    [{ language: "variable", expression: "n", variables: { n: [1, 2] } }, [1, 2]],
    [{ language: "jsonpath", expression: "$.lines[0].sku" }, "a"],
    [{ language: "jq", expression: ".lines | length" }, 1],
    [{ language: "simple", expression: "${header.none}" }, null],
  ];
  for (const [one, value] of cases)
    assert.deepEqual(await evaluate(app, { ...order, ...one }), { value, cut: false, redacted: false });

  await t.test("a JSON body keeps its digits, and its text its spelling", async () => {
    const json = '{ "id": 90071992547409931234 }';
    const body = { language: "simple", expression: "${body}", json };
    const answer = await send(app, "POST", "/test/expression", { body });
    assert.match(await answer.text(), /"value":\{"id":90071992547409931234\}/);
    assert.equal((await evaluate(app, { ...body, expression: "${body}!" }))["value"], `${json}!`);
  });

  await t.test(
    "what is wrong is the answer: a syntax, a language, a failure, a value that takes too long",
    async () => {
      const wrong = async (body: object): Promise<string> =>
        String((await evaluate(app, { ...order, ...body }))["error"]);
      assert.match(await wrong({ language: "simple", expression: "${bodyy}" }), /Unknown function: bodyy/);
      assert.match(await wrong({ language: "simpel", expression: "x" }), /unknown language 'simpel'.*simple/);
      assert.match(await wrong({ language: "simple", expression: "x", json: "{" }), /JSON/);
      assert.match(
        await wrong({ language: "simple", expression: "x", resultType: "Frob" }),
        /unknown resultType 'Frob'/,
      );
      assert.match(await wrong({ language: "js", expression: "for (;;) {}" }), /\w/);
    },
  );

  await t.test("a secret in the message is hidden, and a long value is cut", async () => {
    const secret = await evaluate(app, { language: "simple", expression: "${body}", body: { password: "hunter2" } });
    assert.equal(secret["redacted"], true);
    assert.doesNotMatch(JSON.stringify(secret), /hunter2/);
    const long = await evaluate(app, { language: "simple", expression: "${body}", body: "x".repeat(500_000) });
    assert.equal(long["cut"], true);
  });

  await t.test("another document is refused with its place", async () => {
    const refused = await send(app, "POST", "/test/expression", { body: { language: "simple", expresion: "x" } });
    assert.match(await assertError(refused, 400, "bad_request"), /expres+ion/);
  });
});
