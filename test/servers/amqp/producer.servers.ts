/** What flows send to a real broker: kinds of messages, headers, quality, destinations, failures, transactions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { epochMs } from "../../support/clock.ts";
import { encodings } from "../../support/encodings.ts";
import { missing } from "../missing.ts";
import { startAmqpApp } from "./amqp-app.ts";

const only = "exchangePattern: InOnly";

test("Artemis: what flows send", { skip: missing("Artemis") }, async (t) => {
  const { app, server, flow, take, lastFailure } = await startAmqpApp(t);

  await t.test("bodies are sent as their kinds of messages, and jmsMessageType chooses another", async () => {
    const kinds: readonly (readonly [queue: string, steps: string, more: string, code: number, body: unknown])[] = [
      ["text", `{ setBody: { constant: hello } }`, "", 5, { section: "value", value: "hello" }],
      ["map", `{ unmarshal: { json: {} } }`, "", 2, { section: "value", value: { a: 1, b: "x", c: [true] } }],
      ["list", `{ setBody: { simple: "\${body[c]}" } }`, "", 4, { section: "sequence", items: [true] }],
      [
        "none",
        `{ setBody: { constant: "" } }, { setBody: { simple: "\${null}" } }`,
        "",
        0,
        { section: "value", value: null },
      ],
      [
        "bytes",
        `{ setBody: { constant: hi } }`,
        ", jmsMessageType: Bytes",
        3,
        { section: "data", bytes: Uint8Array.of(104, 105) },
      ],
    ];
    for (const [queue, steps, more, code, body] of kinds) {
      const call = await flow(
        `kind-${queue}`,
        `${steps}, { to: { uri: "jms:queue:kind.${queue}", parameters: { ${only}${more} } } }`,
      );
      const answer = await call({ a: 1, b: "x", c: [true] });
      assert.ok(answer.status < 300, JSON.stringify(await lastFailure(`kind-${queue}`)));
      const message = await take(`kind.${queue}`);
      assert.equal(message.annotations?.["x-opt-jms-msg-type"], code, queue);
      assert.deepEqual(message.body, body, queue);
    }
  });

  await t.test("bytes of each character set are a text message of the text that they are", async () => {
    await flow("sets", `{ to: { uri: "jms:queue:sets", parameters: { ${only}, jmsMessageType: Text } } }`);
    for (const { name, characters, encode } of encodings) {
      const headers = { "Content-Type": `text/plain; charset=${name}` };
      const body = new Uint8Array(encode(characters));
      assert.ok((await fetch(`${app.url}/api/sets`, { method: "POST", headers, body })).ok);
      assert.deepEqual((await take("sets")).body, { section: "value", value: characters }, name);
    }
  });

  await t.test("headers are fields and properties of the message, and those of Camel stay here", async () => {
    const set = (name: string, value: string): string => `{ setHeader: { name: ${name}, constant: "${value}" } }`;
    const call = await flow(
      "headers",
      `${set("order-id.x", "7")}, ${set("JMSCorrelationID", "c1")}, ${set("JMSType", "order")}, ${set("JMSXGroupID", "g")}, ${set("CamelX", "no")}, ${set("JMSReplyTo", "queue:r")}, { to: { uri: "jms:queue:headers", parameters: { ${only}, priority: 7, timeToLive: 60000, deliveryPersistent: false, includeSentJMSMessageID: true } } }, { setBody: { simple: "\${header.JMSMessageID} \${header.CamelJMSDestinationProduced}" } }`,
    );
    const { text } = await call("x");
    const { properties = {}, application = {}, durable, priority, ttl = 0 } = await take("headers");
    assert.equal(application["order_HYPHEN_id_DOT_x"], "7");
    assert.ok(Object.keys(application).every((name) => !name.startsWith("Camel")));
    assert.equal(properties.correlationId, "c1");
    assert.equal(properties.subject, "order");
    assert.equal(properties.groupId, "g");
    assert.equal(properties.replyTo, undefined);
    assert.equal(properties.to, "headers");
    assert.equal(durable, false);
    assert.equal(priority, 7);
    assert.ok(ttl > 50_000 && ttl <= 60_000, String(ttl));
    assert.equal(text, `${properties.messageId} queue://headers`);
  });

  await t.test(
    "preserveMessageQos takes the message's own, and explicitQosEnabled=false none of the endpoint's",
    async () => {
      const set = (name: string, value: string): string => `{ setHeader: { name: ${name}, constant: "${value}" } }`;
      const own = `${set("JMSPriority", "2")}, ${set("JMSDeliveryMode", "1")}, ${set("JMSReplyTo", "queue:answers")}`;
      const kept = await flow(
        "kept",
        `${own}, { to: { uri: "jms:queue:qos", parameters: { ${only}, preserveMessageQos: true } } }`,
      );
      await kept("x");
      const message = await take("qos");
      assert.deepEqual([message.priority, message.durable, message.properties?.replyTo], [2, false, "answers"]);
      const plain = await flow(
        "plain",
        `{ to: { uri: "jms:queue:qos", parameters: { ${only}, priority: 9, explicitQosEnabled: false } } }`,
      );
      await plain("x");
      const { priority = 4, durable } = await take("qos");
      assert.deepEqual([priority, durable], [4, true]);
    },
  );

  await t.test("the destination is the endpoint's, a header's for one step, or a template's", async () => {
    const call = await flow(
      "named",
      `{ setHeader: { name: CamelJmsDestinationName, constant: "queue:other" } }, { to: "jms:queue:first?${only.replace(": ", "=")}" }, { to: "jms:first?${only.replace(": ", "=")}" }, { toD: "jms:queue:\${header.next}?exchangePattern=InOnly" }`,
    );
    assert.equal((await call("x", { next: "third" })).status, 200, JSON.stringify(await lastFailure("named")));
    for (const queue of ["other", "first", "third"])
      assert.deepEqual((await take(queue)).body, { section: "value", value: "x" });
  });

  await t.test("deliveryDelay keeps a message back at the broker", async () => {
    const call = await flow(
      "later",
      `{ to: { uri: "jms:queue:later", parameters: { ${only}, deliveryDelay: 1500 } } }`,
    );
    const began = epochMs();
    await call("x");
    await take("later");
    assert.ok(epochMs() - began >= 1400);
  });

  await t.test("what the broker refuses fails the message with its reason and class", async () => {
    const call = await flow("refused", `{ to: { uri: "jms:queue:forbidden.x", parameters: { ${only} } } }`);
    assert.equal((await call("x")).status, 500);
    assert.match(
      (await lastFailure("refused"))?.message ?? "",
      /does not have permission='CREATE_ADDRESS' on address forbidden\.x/,
    );
    const empty = await flow(
      "empty",
      `{ setBody: { simple: "\${null}" } }, { to: { uri: "jms:queue:e", parameters: { ${only}, allowNullBody: false } } }`,
    );
    assert.equal((await empty("")).status, 500);
    assert.match((await lastFailure("empty"))?.message ?? "", /has no body/);
  });

  await t.test("a full queue fails the message as such", async () => {
    const call = await flow("full", `{ to: { uri: "jms:queue:full.q", parameters: { ${only} } } }`);
    const statuses: number[] = [];
    for (let one = 0; one < 4; one++) statuses.push((await call("x".repeat(15_000))).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 500]);
    assert.match(
      JSON.stringify(await lastFailure("full")),
      /jms\.ResourceAllocationException.*(?:full|resource-limit)/,
    );
  });

  await t.test("the step transacted sends all of its messages or none", async () => {
    const call = await flow(
      "together",
      `{ transacted: { steps: [{ to: { uri: "jms:queue:both", parameters: { ${only} } } }, { to: { uri: "jms:queue:both", parameters: { ${only} } } }, { filter: { simple: "\${body} == 'bad'", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] } }] } }`,
    );
    assert.equal((await call("bad")).status, 500);
    assert.equal((await call("good")).status, 200, JSON.stringify(await lastFailure("together")));
    assert.deepEqual(await server.texts("both"), ["good", "good"]);
  });
});
