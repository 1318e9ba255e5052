/** What endpoints of RabbitMQ declare, send and receive, as their options and messages say. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../../src/shared/limits.ts";
import { argumentsFor } from "../../../../src/workers/components/rabbitmq/arguments.ts";
import { incoming } from "../../../../src/workers/components/rabbitmq/incoming.ts";
import { headerNames } from "../../../../src/workers/components/rabbitmq/names.ts";
import { outgoing } from "../../../../src/workers/components/rabbitmq/outgoing.ts";
import { addressOf } from "../../../../src/workers/components/rabbitmq/reply.ts";
import { deadLetterArguments, deadLetters } from "../../../../src/workers/components/rabbitmq/topology.ts";
import type { Delivered } from "../../../../src/workers/connectors/rabbitmq/channel.ts";
import type { BeanReference } from "../../../../src/workers/engine/bean.ts";
import { connectionOfRabbitFactory } from "../../../../src/workers/engine/connections/rabbit-factories.ts";
import { serversIn } from "../../../../src/workers/engine/connections/servers-in.ts";
import { Headers } from "../../../../src/workers/engine/headers.ts";
import { JsonText, Message } from "../../../../src/workers/engine/message.ts";

const spring = { names: headerNames["spring-rabbitmq"] };
const form = { ...spring, allowNullBody: false, nullHeaders: true, maxBytes: 1000 };

function message(body: unknown, headers: Readonly<Record<string, unknown>> = {}): Message {
  const own = new Headers(defaultLimits);
  for (const [name, value] of Object.entries(headers)) own.set(name, value);
  return new Message(defaultLimits, own, body);
}

function delivered(more: Partial<Delivered> = {}): Delivered {
  const content = new Uint8Array([104, 105]);
  const envelope = { consumerTag: "c", deliveryTag: 7, redelivered: true, exchange: "orders", routingKey: "new" };
  return { ...envelope, content, size: content.length, ...more };
}

test("arguments are sorted by what they are for, and have the types that the server expects", () => {
  const own = argumentsFor(
    "queue.x-message-ttl=60000\nqueue.durable=false\narg.dlq.queue.x-max-length=5\nbinding.color=red\nqueue.x-single-active-consumer=true",
  );
  assert.deepEqual(own("queue").arguments, { "x-message-ttl": 60_000, "x-single-active-consumer": true });
  assert.equal(own("queue").flag("durable", true), false);
  assert.equal(own("queue").flag("exclusive", true), true);
  assert.deepEqual(own("dlq.queue").arguments, { "x-max-length": 5 });
  assert.deepEqual(own("binding").arguments, { color: "red" });
  for (const [text, problem] of [
    ["x-message-ttl=5", /is for nothing: write arg\.consumer\.name/],
    ["queue.x-message-ttl=soon", /'x-message-ttl' is a whole number; found 'soon'/],
    ["queue.durable=yes", /'durable' is true or false/],
  ] as const)
    assert.throws(() => argumentsFor(text)("queue").flag("durable", true), problem);
});

test("a queue names the exchange of its dead letters, whose queue gets what it would get", () => {
  const options = { deadLetterExchange: "dead", deadLetterExchangeType: "direct", deadLetterQueue: "graveyard" };
  assert.deepEqual(deadLetterArguments(options), { "x-dead-letter-exchange": "dead" });
  const { bindings, exchanges } = deadLetters(options, ["new", "old"], argumentsFor(undefined));
  assert.deepEqual(
    bindings.map(({ routingKey }) => routingKey),
    ["new", "old"],
  );
  assert.equal(exchanges[0]?.durable, true);
  const keyed = deadLetters({ ...options, deadLetterRoutingKey: "dead" }, ["new"], argumentsFor(undefined));
  assert.deepEqual(
    keyed.bindings.map(({ routingKey }) => routingKey),
    ["dead"],
  );
});

test("a reply goes to a queue, or to an exchange with a routing key", () => {
  assert.deepEqual(addressOf("answers"), { exchange: "", routingKey: "answers" });
  assert.deepEqual(addressOf("replies/of.mine"), { exchange: "replies", routingKey: "of.mine" });
  assert.deepEqual(addressOf("amq.rabbitmq.reply-to.a/b"), { exchange: "", routingKey: "amq.rabbitmq.reply-to.a/b" });
});

test("text is sent as text, bytes as they are, and what has no bytes is refused with what to write", () => {
  const text = outgoing(message("h\u00e9"), form);
  assert.deepEqual([...text.content], [104, 195, 169]);
  assert.deepEqual([text.properties.contentType, text.properties.contentEncoding], ["text/plain", "UTF-8"]);
  const json = outgoing(
    message(new JsonText("[1]", [1]), { CamelSpringRabbitmqContentType: "application/json" }),
    form,
  );
  assert.deepEqual([Buffer.from(json.content).toString(), json.properties.contentType], ["[1]", "application/json"]);
  const bytes = outgoing(message(new Uint8Array([1])), form);
  assert.deepEqual([bytes.properties.contentType, bytes.properties.durable], ["application/octet-stream", true]);
  const latin = outgoing(message("\u00e9", { CamelSpringRabbitmqContentEncoding: "ISO-8859-1" }), form);
  assert.deepEqual([...latin.content], [233]);
  assert.throws(() => outgoing(message(null), form), /has no body: write allowNullBody=true/);
  assert.equal(outgoing(message(null), { ...form, allowNullBody: true }).content.length, 0);
  assert.throws(() => outgoing(message([1]), form), /make it text first, such as marshal/);
});

test("properties come of Camel's headers, and these are not sent as headers", () => {
  const headers = {
    CamelSpringRabbitmqPriority: "7",
    CamelSpringRabbitmqDeliveryMode: "NON_PERSISTENT",
    CamelSpringRabbitmqTimestamp: new Date(5500),
    CamelSpringRabbitmqExpiration: 1000,
    CamelFileName: "x",
    "org.apache.camel.y": "y",
    "Content-Type": "text/html",
    color: "red",
    count: 3,
    ratio: 0.5,
    none: null,
    tags: ["a", { at: new Date(0) }],
  };
  const { properties } = outgoing(message("x", headers), form);
  const { priority, durable, timestamp, expiration } = properties;
  assert.deepEqual(
    { priority, durable, timestamp, expiration },
    { priority: 7, durable: false, timestamp: 5, expiration: "1000" },
  );
  const table = { color: "red", count: 3n, ratio: 0.5, none: null, tags: ["a", { at: "1970-01-01T00:00:00.000Z" }] };
  assert.deepEqual({ ...properties.headers }, table);
  const { none: _, ...others } = table;
  assert.deepEqual({ ...outgoing(message("x", headers), { ...form, nullHeaders: false }).properties.headers }, others);
});

test("a message that is received has its properties as headers, without those that would direct Camel", () => {
  const headers = { CamelFileName: "../x", color: "red", price: { scale: 2, value: 150 }, raw: Buffer.from([1]) };
  const read = incoming(
    delivered({ headers, contentType: "text/plain", timestamp: 5, deliveryMode: 2, replyTo: "answers" }),
    spring,
    defaultLimits,
  );
  assert.equal(read.body, "hi");
  assert.deepEqual(Object.fromEntries(read.headers), {
    color: "red",
    price: 1.5,
    raw: new Uint8Array([1]),
    CamelSpringRabbitmqRedelivered: true,
    CamelSpringRabbitmqDeliveryTag: 7,
    CamelSpringRabbitmqExchangeName: "orders",
    CamelSpringRabbitmqRoutingKey: "new",
    CamelSpringRabbitmqDeliveryMode: "PERSISTENT",
    CamelSpringRabbitmqContentType: "text/plain",
    CamelSpringRabbitmqContentLength: 2,
    CamelSpringRabbitmqReplyTo: "answers",
    CamelSpringRabbitmqTimestamp: new Date(5000),
  });
  const old = incoming(
    delivered({ contentType: "text/plain", timestamp: 5, deliveryMode: 2 }),
    { names: headerNames.rabbitmq },
    defaultLimits,
  );
  assert.deepEqual(old.body, new Uint8Array([104, 105]));
  assert.equal(Object.fromEntries(old.headers)["CamelMessageTimestamp"], 5000);
  assert.equal(Object.fromEntries(old.headers)["CamelRabbitmqDeliveryMode"], 2);
});

test("a message that exceeds a limit is unreadable, and says which", () => {
  const many = Object.fromEntries(Array.from({ length: defaultLimits.headerCount + 1 }, (_, at) => [`h${at}`, at]));
  for (const [more, limit] of [
    [{ content: undefined, size: 99_999_999 }, /messageBodyBytes|at most .* bytes, and this one has 99999999/],
    [{ headers: many }, /headers/],
  ] as const) {
    const read = incoming(delivered(more as Partial<Delivered>), spring, defaultLimits);
    assert.match(String(read.unreadable?.error), limit);
  }
});

test("headers that are too deep for the stack make a message unreadable, and not its consumer", () => {
  let deep: Record<string, unknown> = {};
  for (let depth = 0; depth < 200_000; depth++) deep = { a: deep };
  const read = incoming(delivered({ headers: { deep } }), spring, defaultLimits);
  assert.match(String(read.unreadable?.error), /stack|headers/);
});

test("servers are read as Camel writes them, and what is none is shown", () => {
  assert.deepEqual(serversIn("a, b:1 ,[::1]:2", "mq:5672", 5672), [
    { host: "a", port: 5672 },
    { host: "b", port: 1 },
    { host: "::1", port: 2 },
  ]);
  for (const text of ["", "a:b", "a:99999", "a,"])
    assert.throws(() => serversIn(text, "mq:5672", 1), /'.*': a server is expected as host:port, such as mq:5672/);
});

test("beans of connection factories are connections, and what has no effect is refused by its name", () => {
  const bean = (type: string, properties: Readonly<Record<string, string>>) =>
    connectionOfRabbitFactory({ name: "mq", type, properties } as BeanReference);
  const spring = "org.springframework.amqp.rabbit.connection.CachingConnectionFactory";
  const own = { kind: "rabbitmq", options: { heartbeat: 60 } };
  assert.deepEqual(bean(spring, { uri: "amqps://ada:s%40@mq/shop", channelCacheSize: "5" }), {
    ...{ ...own, servers: [{ host: "mq", port: 5671 }], tls: {} },
    ...{ database: "shop", username: "ada", password: "s@" },
  });
  assert.deepEqual(bean("com.rabbitmq.client.ConnectionFactory", { host: "mq", port: "1", virtualHost: "x" }), {
    ...{ ...own, servers: [{ host: "mq", port: 1 }] },
    ...{ database: "x", username: "guest", password: "guest" },
  });
  assert.equal(bean(spring, { addresses: "a:1, b" })?.servers[1]?.port, 5672);
  assert.equal(bean("java.lang.Object", {}), undefined);
  assert.throws(() => bean(spring, { executor: "x" }), /has 'executor', which has no effect here/);
  for (const uri of ["http://mq", "amqp://", "amqp://mq:99999"])
    assert.throws(() => bean(spring, { uri }), /the URI of the bean 'mq'/);
});
