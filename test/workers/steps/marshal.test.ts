/** `marshal` and `unmarshal`: where the body comes from and where the result goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asText } from "../../../src/workers/engine/convert.ts";
import { runSteps } from "../../support/run-route.ts";

test("variableSend and variableReceive leave the body; headers are set all the same", async () => {
  const { exchange, error } = await runSteps(
    `- marshal: { json: {}, variableSend: v, variableReceive: w }
- unmarshal: { json: {}, variableSend: w, variableReceive: u }`,
    { body: "kept", variables: { v: { a: 1 } } },
  );
  assert.equal(error, undefined);
  assert.equal(exchange.message.body, "kept");
  assert.equal(exchange.message.written, false);
  assert.equal(asText(exchange.variables.get("w")), '{"a":1}');
  assert.deepEqual(exchange.variables.get("u"), { a: 1 });
  assert.equal(exchange.message.headers.get("Content-Type"), "application/json");
});

test("a null body is unmarshalled only when allowNullBody says so, to null", async () => {
  const refused = await runSteps("- unmarshal: { json: {} }");
  assert.match(String(refused.error), /No type converter available to convert from type: null/);
  assert.equal(refused.failedStep, "unmarshal1");
  const allowed = await runSteps(
    "- unmarshal: { allowNullBody: true, json: {} }\n- setHeader: { name: h, constant: x }",
  );
  assert.equal(allowed.error, undefined);
  assert.equal(allowed.exchange.message.body, null);
});

test("a failure leaves body and headers as they were", async () => {
  const { exchange, error } = await runSteps("- marshal: { jacksonXml: {} }", { body: { "a b": 1 } });
  assert.ok(error instanceof Error);
  assert.deepEqual(exchange.message.body, { "a b": 1 });
  assert.equal(exchange.message.headers.has("Content-Type"), false);
});

test("a variable of another repository is refused", async () => {
  await assert.rejects(
    runSteps("- marshal: { json: {}, variableReceive: 'odd:v' }"),
    /there is no variable repository 'odd'/,
  );
});
