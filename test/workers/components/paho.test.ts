/** MQTT endpoints without a broker: what their options mean, what is refused, and how acknowledgements leave. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readBrokers } from "../../../src/workers/components/paho/broker-url.ts";
import { checkFilter, checkTopic } from "../../../src/workers/components/paho/connection.ts";
import { propertiesOf, readProperties } from "../../../src/workers/components/paho/properties.ts";
import { Unacknowledged } from "../../../src/workers/components/paho/unacknowledged.ts";
import type { BrokerClient } from "../../../src/workers/connectors/mqtt/client.ts";
import { CutMessage } from "../../../src/workers/connectors/mqtt/cut-message.ts";
import { Packets } from "../../../src/workers/connectors/mqtt/frames.ts";
import type { MqttMessage } from "../../../src/workers/connectors/mqtt/receiving.ts";
import { bodyBytes } from "../../../src/workers/engine/body-bytes.ts";
import { exceptionMessage } from "../../../src/workers/engine/exception.ts";

const refusal = (act: () => unknown): string => {
  try {
    act();
    return "accepted";
  } catch (error) {
    return exceptionMessage(error);
  }
};

describe("the brokers that an endpoint names", () => {
  test("are read with their usual ports, and with TLS for ssl://", () => {
    assert.deepEqual(readBrokers("tcp://a.example.org, tcp://b.example.org:1884", "serverURIs"), {
      servers: [
        { host: "a.example.org", port: 1883 },
        { host: "b.example.org", port: 1884 },
      ],
      tls: false,
    });
    assert.deepEqual(readBrokers("ssl://[::1]/", "brokerUrl"), { servers: [{ host: "::1", port: 8883 }], tls: true });
  });
  for (const [url, expected] of [
    ["ws://a.example.org", /WebSocket is not spoken/],
    ["http://a.example.org", /brokerUrl is a URL such as tcp:/],
    ["a.example.org:1883", /brokerUrl is a URL such as tcp:/],
    ["tcp://user:pass@a.example.org", /userName, password/],
    ["tcp://a.example.org,ssl://b.example.org", /write one of them for all/],
  ] as const)
    test(`${url} is refused with what to write`, () =>
      assert.match(
        refusal(() => readBrokers(url, "brokerUrl")),
        expected,
      ));
});

test("filters of consumers and topics of producers are checked before a broker would refuse them", () => {
  for (const filter of ["a", "/a/", "+", "#", "a/+/b/#", "$share/group/a/#", "$SYS/broker/version"])
    assert.equal(
      refusal(() => checkFilter(filter)),
      "accepted",
      filter,
    );
  for (const filter of [
    "",
    "a#",
    "a/#/b",
    "a+/b",
    "$share/group",
    "$share//a",
    "$share/g+/a",
    "a\0b",
    "x".repeat(65_536),
  ])
    assert.match(
      refusal(() => checkFilter(filter)),
      /^topic/,
      filter.slice(0, 20),
    );
  for (const topic of ["", "a/+", "a/#", "a\0"])
    assert.match(
      refusal(() => checkTopic(topic, "topic")),
      /^topic/,
      topic,
    );
});

test("bodies are sent as bytes: text as UTF-8, data as JSON, null as nothing", () => {
  const sent = (body: unknown): string => Buffer.from(bodyBytes(body, 1000)).toString();
  assert.equal(sent("grün"), "grün");
  assert.equal(sent(new Uint8Array([65, 66])), "AB");
  assert.equal(sent({ a: [1, null] }), '{"a":[1,null]}');
  assert.equal(sent(12.5), "12.5");
  assert.equal(sent(null), "");
  assert.match(
    refusal(() => bodyBytes(new Error("no body"), 1000)),
    /cannot be sent/,
  );
});

describe("properties of MQTT 5", () => {
  test("are a map with Paho's names, which is sent on as it came", () => {
    const received = {
      payloadFormatIndicator: true,
      messageExpiryInterval: 60,
      contentType: "text/plain",
      responseTopic: "answers",
      correlationData: Buffer.from([1, 2]),
      subscriptionIdentifier: 7,
      userProperties: { plant: "north", CamelHttpUri: "http://169.254.169.254", twice: ["1", "2"] },
    };
    const map = propertiesOf(received);
    assert.deepEqual(map["userProperties"], [
      { key: "plant", value: "north" },
      { key: "CamelHttpUri", value: "http://169.254.169.254" },
      { key: "twice", value: "1" },
      { key: "twice", value: "2" },
    ]);
    const { subscriptionIdentifier: _, ...sent } = received;
    assert.deepEqual({ ...readProperties(map), userProperties: { ...readProperties(map)?.userProperties } }, sent);
  });
  test("that cannot be sent fail the message with what is expected", () => {
    assert.equal(readProperties(null), undefined);
    for (const [header, expected] of [
      ["text", /it is a map with payloadFormat/],
      [{ topicAlias: 1 }, /it has 'topicAlias', and it can have/],
      [{ messageExpiryInterval: "soon" }, /a number of seconds is expected/],
      [{ userProperties: "a" }, /a list of maps with key and value/],
      [{ userProperties: [1] }, /a map with key and value/],
    ] as const)
      assert.match(
        refusal(() => readProperties(header)),
        expected,
      );
  });
});

describe("packets of a broker", () => {
  const mark = Buffer.alloc(16, 7);
  const bounds = { version: 5, mostBytes: 300, mostHeadBytes: 260 } as const;
  const lengthOf = (bytes: number): number[] =>
    bytes < 128 ? [bytes] : [(bytes % 128) + 128, ...lengthOf(Math.floor(bytes / 128))];
  const packet = (first: number, ...rest: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(rest);
    return Buffer.concat([Buffer.from([first, ...lengthOf(body.length)]), body]);
  };
  const pass = (stream: Uint8Array, size: number, passed = new Packets(bounds, mark)): Buffer => {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < stream.length; at += size) parts.push(...passed.pass(stream.subarray(at, at + size)));
    return Buffer.concat(parts);
  };
  const message = fc.record({
    qos: fc.constantFrom(0, 1, 2),
    topic: fc.string({ minLength: 1, maxLength: 20 }),
    properties: fc.uint8Array({ maxLength: 150 }),
    payload: fc.uint8Array({ maxLength: 1000 }),
  });

  test("pass as they are, and messages that are too large without their payload, however the stream is cut", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), fc.integer({ min: 1, max: 400 }), (messages, size) => {
        const streams = messages.map(({ qos, topic, properties, payload }) => {
          const name = Buffer.from(topic);
          const parts = [
            Buffer.from([0, name.length]),
            name,
            ...(qos === 0 ? [] : [Buffer.from([1, 2])]),
            Buffer.from(lengthOf(properties.length)),
            properties,
          ];
          const whole = packet(0x30 | (qos << 1), ...parts, payload);
          const bytes = Buffer.concat(parts).length + payload.length;
          if (bytes <= bounds.mostBytes) return { whole, expected: whole };
          const length = Buffer.alloc(8);
          length.writeDoubleBE(payload.length);
          return { whole, expected: packet(0x30 | (qos << 1), ...parts, mark, length) };
        });
        const all = Buffer.concat([packet(0xd0), ...streams.map(({ whole }) => whole), packet(0xd0)]);
        const expected = Buffer.concat([packet(0xd0), ...streams.map((one) => one.expected), packet(0xd0)]);
        assert.ok(pass(all, size).equals(expected));
      }),
    );
  });
  test("that are cut say how many bytes their payload had", () => {
    const cut = pass(packet(0x30, Buffer.from([0, 1, 97, 0]), Buffer.alloc(5000)), 64);
    assert.equal(CutMessage.bytesOf(cut.subarray(-24), mark), 5000);
    assert.equal(CutMessage.bytesOf(Buffer.alloc(24), mark), undefined);
  });
  for (const [what, bytes, expected] of [
    ["whose length does not end", Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff]), /does not speak MQTT/],
    ["that are too large and no messages", packet(0x90, Buffer.alloc(400)), /of 400 bytes that is not a message/],
    [
      "whose topic is too large",
      packet(0x30, Buffer.from([1, 20]), Buffer.alloc(400)),
      /topic and properties have more than 260 bytes/,
    ],
  ] as const)
    test(`${what} end the connection`, () => {
      assert.match(
        refusal(() => pass(bytes, 64)),
        expected,
      );
    });
});

describe("acknowledgements", () => {
  const messageOf = (id: number, dup = false): MqttMessage => ({
    ...{ topic: "a", payload: new Uint8Array(), qos: 1, retain: false, properties: undefined },
    ...{ id, dup },
  });
  const clientOf = (isResumed: boolean) => {
    const acknowledged: number[] = [];
    const state = { isOpen: true };
    const client = {
      isResumed,
      received: new Set<number>(),
      resume() {},
      acknowledge({ id }: MqttMessage) {
        if (state.isOpen) acknowledged.push(id);
        return state.isOpen;
      },
    } as unknown as BrokerClient;
    return { client, acknowledged, state };
  };

  test("leave in the order in which messages came, and pass over those that stay", () => {
    const { client, acknowledged } = clientOf(false);
    const all = new Unacknowledged();
    all.begin(client);
    const [first, second, third] = [1, 2, 3].map((id) => all.take(messageOf(id), client));
    assert.ok(first && second && third);
    all.settle(third);
    all.settle(first);
    assert.deepEqual(acknowledged, [1]);
    all.leave(second);
    assert.deepEqual(acknowledged, [1, 3]);
  });

  test("of what is in the route when the connection is lost wait until it comes again, and it does not run twice", () => {
    const [before, after] = [clientOf(false), clientOf(true)];
    const all = new Unacknowledged();
    all.begin(before.client);
    const [ended, underWay] = [1, 2].map((id) => all.take(messageOf(id), before.client));
    assert.ok(ended && underWay);
    before.state.isOpen = false;
    all.settle(ended);
    all.begin(after.client);
    assert.equal(all.take(messageOf(1, true), after.client), undefined);
    assert.deepEqual(after.acknowledged, [1]);
    assert.equal(all.take(messageOf(2, true), after.client), undefined);
    all.settle(underWay);
    assert.deepEqual(after.acknowledged, [1, 2]);
  });

  test("are forgotten with the session: what comes then is another message", () => {
    const [before, after] = [clientOf(false), clientOf(false)];
    const all = new Unacknowledged();
    all.begin(before.client);
    assert.ok(all.take(messageOf(1), before.client));
    all.begin(after.client);
    assert.ok(all.take(messageOf(1, true), after.client));
  });

  test("are left out for a message that stays: when it comes again it runs again", () => {
    const { client } = clientOf(true);
    const all = new Unacknowledged();
    all.begin(client);
    const taken = all.take(messageOf(1), client);
    assert.ok(taken);
    all.leave(taken);
    assert.ok(all.take(messageOf(1, true), client));
  });
});
