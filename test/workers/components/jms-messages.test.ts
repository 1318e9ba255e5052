/** Destinations, broker URLs, names of properties and bodies of JMS endpoints, as texts say them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { receivedBody, sentBody } from "../../../src/workers/components/jms/body.ts";
import { readDestination } from "../../../src/workers/components/jms/destination.ts";
import {
  headerName,
  isCamelHeader,
  isProperty,
  propertyName,
} from "../../../src/workers/components/jms/property-names.ts";
import { readBrokerUrl } from "../../../src/workers/engine/connections/broker-url.ts";

test("a destination is a queue unless its text says otherwise", () => {
  assert.deepEqual(readDestination("orders"), { type: "queue", name: "orders" });
  assert.deepEqual(readDestination("queue:orders.new"), { type: "queue", name: "orders.new" });
  assert.deepEqual(readDestination("topic://prices"), { type: "topic", name: "prices" });
  assert.deepEqual(readDestination("prices", "topic"), { type: "topic", name: "prices" });
  assert.deepEqual(readDestination("queue:prices", "topic"), { type: "queue", name: "prices" });
  assert.throws(() => readDestination("queue:"), /name of a queue or a topic is missing/);
});

test("broker URLs name servers, encryption and users", () => {
  const server = (host: string, port: number) => ({ host, port });
  assert.deepEqual(readBrokerUrl("amqp://mq:5672"), { kind: "amqp", servers: [server("mq", 5672)] });
  assert.deepEqual(readBrokerUrl("amqps://mq"), { kind: "amqp", servers: [server("mq", 5671)], tls: {} });
  assert.deepEqual(readBrokerUrl("tcp://mq:61616"), { kind: "amqp", servers: [server("mq", 61616)] });
  assert.deepEqual(readBrokerUrl("failover:(tcp://a:1,tcp://b:2)?randomize=false"), {
    kind: "amqp",
    servers: [server("a", 1), server("b", 2)],
  });
  assert.deepEqual(readBrokerUrl("amqp://mq?jms.username=ada&jms.password=x&amqp.idleTimeout=5000"), {
    kind: "amqp",
    servers: [server("mq", 5672)],
    ...{ username: "ada", password: "x", options: { idleTimeoutMs: 5000 } },
  });
  const refused: readonly (readonly [url: string, why: RegExp])[] = [
    ["mq:5672", /has no scheme/],
    ["vm://localhost", /scheme 'vm', which is not supported: write amqp:\/\//],
    ["amqp://ada:x@mq", /user before its broker/],
    ["amqps://mq?transport.trustAll=true", /certificate is always checked/],
    ["amqp://mq?jms.prefetchPolicy.all=1", /parameter 'jms\.prefetchPolicy\.all', which has no effect/],
    ["failover:(tcp://a:1,ssl://b:2)", /with and without encryption/],
    ["amqp://host:port", /names no broker/],
  ];
  for (const [url, why] of refused) assert.match(String(readBrokerUrl(url)), why);
});

test("names of headers are names of properties in Camel's encoding, and headers of Camel stay here", () => {
  assert.equal(propertyName("Content-Type.x", "default"), "Content_HYPHEN_Type_DOT_x");
  assert.equal(headerName("Content_HYPHEN_Type_DOT_x", "default"), "Content-Type.x");
  assert.equal(propertyName("a-b", "passthrough"), "a-b");
  for (const name of ["CamelFileName", "camelx", "org.apache.camel.y"]) assert.ok(isCamelHeader(name), name);
  assert.deepEqual(
    ["orderId", "JMSType", "JMSXUserID", "CamelX", "JMS_VENDOR_X"].filter((name) => isProperty(name, false)),
    ["orderId", "JMS_VENDOR_X"],
  );
  assert.ok(isProperty("JMSXUserID", true));
});

test("a body is the kind of message that it looks like, or the one that is wanted", () => {
  const kinds = (value: unknown, wanted?: "Bytes" | "Map" | "Stream" | "Text") => {
    const { body, code } = sentBody(value, wanted, 1000);
    return [code, body];
  };
  assert.deepEqual(kinds("x"), [5, { section: "value", value: "x" }]);
  assert.deepEqual(kinds(7), [5, { section: "value", value: "7" }]);
  assert.deepEqual(kinds(null), [0, { section: "value", value: null }]);
  assert.deepEqual(kinds({ a: 1 }), [2, { section: "value", value: { a: 1 } }]);
  assert.deepEqual(kinds([1, 2]), [4, { section: "sequence", items: [1, 2] }]);
  assert.deepEqual(kinds(Uint8Array.of(1)), [3, { section: "data", bytes: Uint8Array.of(1) }]);
  assert.deepEqual(kinds("x", "Bytes"), [3, { section: "data", bytes: Uint8Array.of(120) }]);
  assert.deepEqual(kinds({ a: 1 }, "Text"), [5, { section: "value", value: "{a=1}" }]);
  assert.throws(() => kinds("x", "Map"), /the body is no map/);
  assert.throws(() => kinds("x", "Stream"), /the body is no list/);
});

test("a text in bytes is a text, and an object of Java is refused", () => {
  const bytes = Buffer.from('{"a":1}');
  const body = { section: "data", bytes } as const;
  assert.equal(receivedBody({ body, properties: { contentType: "application/json" } }), '{"a":1}');
  assert.deepEqual(receivedBody({ body, properties: { contentType: "application/octet-stream" } }), bytes);
  assert.throws(
    () => receivedBody({ body, properties: { contentType: "application/x-java-serialized-object" } }),
    /object of Java, which is not read/,
  );
});
