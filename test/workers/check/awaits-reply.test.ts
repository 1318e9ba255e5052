/** A step that waits for a reply because a caller waits for the route's answer gets a warning. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsOf } from "./real-catalog.ts";

async function warned(from: string, ...steps: readonly string[]): Promise<readonly string[]> {
  const yaml = `- route: { id: main, from: { uri: "${from}", steps: [${steps.join()}] } }\n`;
  return (await warningsOf(yaml)).filter((line) => line.includes("awaits_reply"));
}

const plain = `{ to: "jms:queue:orders" }`;
const inside = `{ choice: { when: [{ simple: "\${body} == 1", steps: [${plain}] }] } }`;

test("a queue behind a webhook warns unless its pattern is said, and one behind a timer or a queue does not", async () => {
  assert.match(
    (await warned("webhook", plain)).join(),
    /'jms:queue:orders' waits for a reply here.*exchangePattern: InOnly/,
  );
  assert.equal((await warned("webhook", inside, plain)).length, 2);
  for (const parameters of ["exchangePattern: InOnly", "exchangePattern: InOut", "disableReplyTo: true"])
    assert.deepEqual(await warned("webhook", `{ to: { uri: "jms:queue:orders", parameters: { ${parameters} } } }`), []);
  assert.deepEqual(await warned("webhook", `{ to: { uri: "jms:queue:orders", pattern: InOnly } }`), []);
  assert.deepEqual(await warned("webhook", `{ setExchangePattern: InOnly }`, plain), []);
  assert.deepEqual(await warned("timer:tick", plain), []);
  assert.deepEqual(await warned("jms:queue:in", plain), []);
});

test("so does an exchange of RabbitMQ, in both spellings", async () => {
  for (const uri of ["spring-rabbitmq:orders", "rabbitmq:orders"]) {
    const step = (parameters = ""): string =>
      `{ to: { uri: "${uri}", parameters: { routingKey: new, ${parameters} } } }`;
    assert.match((await warned("webhook", step())).join(), /waits for a reply here.*exchangePattern: InOnly/);
    for (const pattern of ["InOnly", "InOut"])
      assert.deepEqual(await warned("webhook", step(`exchangePattern: ${pattern}`)), []);
    assert.deepEqual(await warned("timer:tick", step()), []);
  }
  assert.deepEqual(await warned("webhook", `{ to: "spring-rabbitmq:orders?disableReplyTo=true" }`), []);
});
