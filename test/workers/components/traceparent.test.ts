/** The trace of a message: each broker's messages bring it, a run keeps it, and what is sent has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { receivedMessage } from "../../../src/workers/components/jms/received-message.ts";
import { recordHeaders, traceparentOfRecord } from "../../../src/workers/components/kafka/headers.ts";
import { newMessage } from "../../../src/workers/components/paho/message.ts";
import { withTrace } from "../../../src/workers/components/paho/properties.ts";
import { incoming } from "../../../src/workers/components/rabbitmq/incoming.ts";
import { headerNames } from "../../../src/workers/components/rabbitmq/names.ts";
import { outgoing } from "../../../src/workers/components/rabbitmq/outgoing.ts";
import { blankExchange } from "../../../src/workers/engine/blank-exchange.ts";
import { traceparentOf } from "../../../src/workers/engine/trace-context.ts";

const trace = (digit: string): string => `00-${digit.repeat(32)}-${"1".repeat(16)}-01`;
const given = trace("a");
const own = trace("b");
const bytes = (text: string): Buffer => Buffer.from(text);

/** By the broker: the trace that a message with this value brings. */
const received: Readonly<Record<string, (value: string) => string | undefined>> = {
  kafka: (value) =>
    traceparentOfRecord({
      ...{ offset: 0n, timestamp: 0n, key: null, value: null },
      headers: [
        [bytes("traceparent"), bytes(own)],
        [bytes("traceparent"), bytes(value)],
      ],
    }),
  jms(value) {
    const message = { application: { traceparent: value }, body: { section: "value", value: "x" } } as const;
    return receivedMessage(message, { type: "queue", address: "a" }, "default", defaultLimits).traceparent;
  },
  rabbitmq(value) {
    const envelope = { consumerTag: "c", deliveryTag: 7, redelivered: false, exchange: "e", routingKey: "r" };
    const message = { ...envelope, content: new Uint8Array(1), size: 1, headers: { traceparent: value } };
    return incoming(message, { names: headerNames["spring-rabbitmq"] }, defaultLimits).traceparent;
  },
  mqtt5(value) {
    const flags = { qos: 0, retain: false, dup: false, id: 0 } as const;
    const properties = { userProperties: { traceparent: value } };
    return newMessage({ topic: "t", payload: new Uint8Array(1), ...flags, properties }, 5, defaultLimits).traceparent;
  },
};

for (const [broker, read] of Object.entries(received)) {
  test(`${broker}: a message brings its trace when that is valid`, () => {
    assert.equal(read(given), given);
    for (const wrong of [
      "",
      "x",
      trace("0"),
      given.toUpperCase(),
      `ff${given.slice(2)}`,
      `${given}-${"x".repeat(200)}`,
    ])
      assert.equal(read(wrong), undefined, wrong);
  });
}

test("kafka: records have the run's trace, unless a header has another one", () => {
  const sent = (...headers: [string, unknown][]) =>
    recordHeaders(headers, given).map(([name, value]) => [String(name), String(value)]);
  assert.deepEqual(sent(["a", "b"]), [
    ["a", "b"],
    ["traceparent", given],
  ]);
  assert.deepEqual(sent(["traceparent", own]), [["traceparent", own]]);
  assert.deepEqual(recordHeaders([["a", "b"]]).length, 1);
});

test("rabbitmq: a message has the run's trace, unless a header has another one", () => {
  const { message } = blankExchange(defaultLimits);
  message.body = "x";
  const names = headerNames["spring-rabbitmq"];
  const form = { names, allowNullBody: false, nullHeaders: true, maxBytes: 1000 };
  const sent = (traceparent?: string) => ({ ...outgoing(message, { ...form, traceparent }).properties.headers });
  assert.deepEqual(sent(), {});
  assert.deepEqual(sent(given), { traceparent: given });
  message.headers.set("traceparent", own);
  assert.deepEqual(sent(given), { traceparent: own });
});

test("mqtt5: a message has the trace as a user property, unless it has another one", () => {
  assert.equal(withTrace(undefined, undefined), undefined);
  assert.deepEqual(withTrace({ contentType: "a" }, given), {
    contentType: "a",
    userProperties: { traceparent: given },
  });
  const properties = { userProperties: { traceparent: own } };
  assert.deepEqual(withTrace(properties, given), properties);
});

test("a header goes before the trace that the run began with, which copies in other runs keep", () => {
  const exchange = blankExchange(defaultLimits);
  assert.equal(traceparentOf(exchange), undefined);
  exchange.run.traceparent = given;
  assert.equal(traceparentOf(exchange), given);
  assert.equal(traceparentOf(exchange.copy(blankExchange(defaultLimits).run)), given);
  exchange.message.headers.set("traceparent", bytes(own));
  assert.equal(traceparentOf(exchange), own);
  exchange.message.headers.set("traceparent", "no trace");
  assert.equal(traceparentOf(exchange), given);
});
