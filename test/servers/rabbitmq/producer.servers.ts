/** Messages that are sent to RabbitMQ: where they go, what they carry, and as what a failure is reported. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { missing } from "../missing.ts";
import { startRabbitApp } from "./rabbit-flow.ts";

test("messages that are sent", { skip: missing("RabbitMQ") }, async (t) => {
  const { broker, flow } = await startRabbitApp(t);
  await broker.declare("plain");
  await broker.declare("other");
  const channel = await broker.channel();
  await channel.exchangeDeclare({ exchange: "orders", type: "topic", durable: true });
  await channel.queueBind({ queue: "plain", exchange: "orders", routingKey: "order.*" });
  await channel.queueBind({ queue: "other", exchange: "orders", routingKey: "other" });
  const inOnly = "pattern: InOnly";

  await t.test("a message goes to the exchange with the routing key, and has its headers and properties", async () => {
    const send = await flow(
      "send",
      `{ removeHeaders: { pattern: "*" } }, { setHeaders: { headers: [
        { name: color, constant: red }, { name: CamelSpringRabbitmqPriority, constant: "3" }, { name: CamelFileName, constant: x },
        { name: CamelSpringRabbitmqMessageId, constant: m1 }, { name: CamelSpringRabbitmqExpiration, constant: "60000" } ] } },
        { to: { uri: "spring-rabbitmq:orders?routingKey=order.new", ${inOnly} } }`,
    );
    assert.equal((await send("hello")).status, 200);
    const taken = await broker.take("plain");
    assert.equal(taken?.body, "hello");
    assert.deepEqual({ ...taken?.headers }, { color: "red" });
    const { exchange, routingKey, priority, messageId, expiration, deliveryMode, contentType } = taken ?? {};
    assert.deepEqual(
      { exchange, routingKey, priority, messageId, expiration, deliveryMode, contentType },
      {
        ...{ exchange: "orders", routingKey: "order.new", priority: 3, messageId: "m1" },
        ...{ expiration: "60000", deliveryMode: 2, contentType: "text/plain" },
      },
    );
  });

  await t.test("headers name another exchange and key, and are removed; toD names them in its text", async () => {
    const override = await flow(
      "override",
      `{ setHeader: { name: CamelSpringRabbitmqExchangeOverrideName, constant: default } },
       { setHeader: { name: CamelSpringRabbitmqRoutingOverrideKey, constant: other } },
       { to: { uri: "spring-rabbitmq:orders?routingKey=order.new", ${inOnly} } },
       { setBody: { simple: "\${header.CamelSpringRabbitmqRoutingOverrideKey}" } }`,
    );
    assert.deepEqual([(await override("a")).text, (await broker.take("other"))?.body], ["", "a"]);
    const dynamic = await flow("dynamic", `{ toD: { uri: "spring-rabbitmq:orders?routingKey=\${body}", ${inOnly} } }`);
    assert.equal((await dynamic("order.b")).failure, "");
    assert.equal((await broker.take("plain"))?.routingKey, "order.b");
    const old = await flow(
      "old",
      `{ setHeader: { name: CamelRabbitmqRoutingKey, constant: order.c } }, { to: { uri: "rabbitmq:orders?declare=false", ${inOnly} } },
       { to: { uri: "rabbitmq:orders?declare=false&bridgeEndpoint=true&routingKey=other", ${inOnly} } },
       { setBody: { simple: "\${header.CamelRabbitmqRoutingKey}" } }`,
    );
    // It is the message's own key, too.
    assert.equal((await old("c")).text, "order.c");
    assert.deepEqual(
      [(await broker.take("plain"))?.routingKey, (await broker.take("other"))?.routingKey],
      ["order.c", "other"],
    );
  });

  await t.test("what no queue gets is dropped, and fails with mandatory", async () => {
    const dropped = await flow("dropped", `{ to: { uri: "spring-rabbitmq:orders?routingKey=nobody", ${inOnly} } }`);
    assert.equal((await dropped("x")).status, 200);
    const expected =
      /AmqpMessageReturnedException: no queue gets messages of the exchange 'orders' with the routing key 'nobody': NO_ROUTE/;
    const mandatory = await flow(
      "mandatory",
      `{ to: { uri: "spring-rabbitmq:orders?routingKey=nobody&mandatory=true", ${inOnly} } }`,
    );
    assert.match((await mandatory("x")).failure, expected);
    const byHeader = await flow(
      "by-header",
      `{ setHeader: { name: CamelRabbitmqMandatory, constant: "true" } }, { to: { uri: "rabbitmq:orders?declare=false&routingKey=nobody", ${inOnly} } }`,
    );
    assert.match((await byHeader("x")).failure, expected);
    const asked = await flow("asked", `{ to: { uri: "spring-rabbitmq:orders?routingKey=nobody", pattern: InOut } }`);
    assert.match((await asked("x")).failure, expected);
  });

  await t.test("what the server refuses fails its message alone", async () => {
    const missing = await flow("missing", `{ to: { uri: "spring-rabbitmq:nowhere", ${inOnly} } }`);
    const good = await flow("good", `{ to: { uri: "spring-rabbitmq:default?routingKey=other", ${inOnly} } }`);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? missing("x") : good("y"))));
    for (const [at, { failure }] of answers.entries())
      assert.match(failure, at % 2 === 0 ? /AmqpIOException: .*NOT_FOUND - no exchange 'nowhere'/ : /^$/);
    assert.equal((await broker.takeAll("other")).length, 10);
    const user = await flow(
      "user",
      `{ setHeader: { name: CamelSpringRabbitmqUserId, constant: somebody } }, { to: { uri: "spring-rabbitmq:default?routingKey=other", ${inOnly} } }`,
    );
    assert.match((await user("x")).failure, /PRECONDITION_FAILED - user_id property set to 'somebody'/);
    const empty = await flow(
      "empty",
      `{ setBody: { simple: "\${null}" } }, { to: { uri: "spring-rabbitmq:default?routingKey=other", ${inOnly} } }`,
    );
    assert.match((await empty("x")).failure, /MessageConversionException: the message has no body/);
  });

  await t.test("a full queue refuses, and the message fails", async () => {
    await broker.declare("full", { "x-max-length": 1, "x-overflow": "reject-publish" });
    const send = await flow("fill", `{ to: { uri: "spring-rabbitmq:default?routingKey=full", ${inOnly} } }`);
    assert.equal((await send("first")).status, 200);
    assert.match((await send("second")).failure, /AmqpNackReceivedException: the server has not taken the message/);
  });

  await t.test("autoDeclareProducer declares, binds, and passes arguments on", async () => {
    const send = await flow(
      "declared",
      `{ to: { uri: "spring-rabbitmq:made", ${inOnly}, parameters: { autoDeclareProducer: true, exchangeType: fanout, queues: "made-1,made-2",
        deadLetterExchange: made-dead, deadLetterQueue: made-graveyard, "arg.queue.x-message-ttl": 1, "arg.queue.durable": false } } }`,
    );
    assert.equal((await send("x")).failure, "");
    await eventually(
      async () => (await broker.ready("made-graveyard")) >= 2,
      "both copies expire, and are dead letters",
    );
    assert.equal((await broker.take("made-graveyard"))?.body, "x");
    const other = await flow(
      "clash",
      `{ to: { uri: "spring-rabbitmq:made", ${inOnly}, parameters: { autoDeclareProducer: true, exchangeType: topic } } }`,
    );
    assert.match((await other("x")).failure, /PRECONDITION_FAILED - inequivalent arg 'type' for exchange 'made'/);
  });

  await t.test("a large message arrives whole", async () => {
    const send = await flow("large", `{ to: { uri: "spring-rabbitmq:default?routingKey=other", ${inOnly} } }`);
    const text = "0123456789".repeat(80_000);
    assert.equal((await send(text)).failure, "");
    assert.equal((await broker.take("other"))?.body, text);
  });
});
