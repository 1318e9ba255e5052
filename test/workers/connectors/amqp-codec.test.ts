/** Messages of AMQP 1.0 as bytes: what is written is read again, and what is no message is refused without harm. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeMessage } from "../../../src/workers/connectors/amqp/decode.ts";
import { encodeMessage } from "../../../src/workers/connectors/amqp/encode.ts";
import type { AmqpMessage } from "../../../src/workers/connectors/amqp-client.ts";

const whole: AmqpMessage = {
  durable: true,
  priority: 7,
  ttl: 60_000,
  annotations: { "x-opt-jms-msg-type": { type: "byte", value: 5 } },
  properties: {
    messageId: "ID:1",
    userId: "ada",
    to: "orders",
    subject: "order",
    replyTo: "answers",
    correlationId: "c1",
    contentType: "text/plain",
    absoluteExpiry: 1_800_000_000_000,
    creationTime: 1_700_000_000_000,
    groupId: "g",
    groupSequence: 3,
    replyToGroupId: "r",
  },
  application: { a: 1, b: -129, c: 2 ** 40, d: 1.5, e: "é", f: true, g: null, h: 9_007_199_254_740_993n },
  body: { section: "value", value: "hello" },
};

test("a message is read as it was written", () => {
  assert.deepEqual(decodeMessage(encodeMessage(whole)), {
    ...whole,
    annotations: { "x-opt-jms-msg-type": 5 },
  });
});

test("bodies of each section are read as they were written", () => {
  const bodies: readonly AmqpMessage["body"][] = [
    { section: "value", value: null },
    { section: "value", value: { a: [1, "x", { b: false }], t: new Date(5), u: Uint8Array.of(1, 2) } },
    { section: "value", value: "x".repeat(1000) },
    { section: "value", value: [2 ** 31, -(2 ** 40), 2 ** 63, -(2 ** 63), 1e300, Infinity] },
    { section: "data", bytes: Uint8Array.of(0, 1, 255) },
    { section: "data", bytes: new Uint8Array(300).fill(7) },
    { section: "sequence", items: [1, "two", true, null] },
  ];
  for (const body of bodies) assert.deepEqual(decodeMessage(encodeMessage({ body })).body, body);
});

test("ids of all types are texts, and are sent as what they were", () => {
  const ids = [
    "ID:AMQP_UUID:00112233-4455-6677-8899-aabbccddeeff",
    "ID:AMQP_ULONG:18446744073709551615",
    "ID:AMQP_BINARY:00FF",
    "ID:AMQP_NO_PREFIX:plain",
    "ID:own",
  ];
  for (const messageId of ids) {
    const { properties } = decodeMessage(encodeMessage({ properties: { messageId }, body: { section: "none" } }));
    assert.equal(properties?.messageId, messageId);
  }
});

test("what other clients write is read: small forms, arrays, floats, symbols, described values", () => {
  const bytes = (...parts: readonly number[]): Uint8Array => Uint8Array.from(parts);
  const decoded = (...value: readonly number[]): unknown => {
    const { body } = decodeMessage(bytes(0x00, 0x53, 0x77, ...value));
    return body.section === "value" ? body.value : undefined;
  };
  assert.equal(decoded(0x72, 0x3d, 0xcc, 0xcc, 0xcd), 0.1);
  assert.equal(decoded(0x72, 0x4b, 0x7f, 0xff, 0xff), 16_777_215);
  assert.equal(decoded(0x72, 0x7f, 0x80, 0x00, 0x00), Infinity);
  assert.equal(decoded(0x73, 0x00, 0x01, 0xf6, 0x00), "😀");
  assert.equal(decoded(0xa3, 0x02, 0x61, 0x62), "ab");
  assert.deepEqual(decoded(0xe0, 0x04, 0x03, 0x50, 1, 2, 3), [1, 2, 3]);
  assert.equal(decoded(0x00, 0x53, 0x10, 0x54, 0xff), -1);
  assert.deepEqual(decoded(0xc1, 0x05, 0x02, 0xa1, 0x01, 0x61, 0x41), { a: true });
  assert.deepEqual(decoded(0x45), []);
});

test("what is no message is refused, without memory for what it only announces", () => {
  const refused: readonly (readonly number[])[] = [
    [0x01],
    [0x00, 0x53, 0x77, 0xb1, 0x7f, 0xff, 0xff, 0xff],
    [0x00, 0x53, 0x77, 0xd0, 0x00, 0x00, 0x00, 0x08, 0x7f, 0xff, 0xff, 0xff],
    [0x00, 0x53, 0x77, 0xf0, 0x00, 0x00, 0x00, 0x08, 0x7f, 0xff, 0xff, 0xff, 0x40],
    [0x00, 0x53, 0x77, 0x3f],
    [0x00, 0x53, 0x75, 0x41],
    [0x00, 0x53, 0x77, ...Array.from({ length: 100 }, () => [0xc0, 0xff, 0x01]).flat()],
  ];
  for (const parts of refused) assert.throws(() => decodeMessage(Uint8Array.from(parts)), Error, parts.join());
});

test("lists in lists and arrays of nothing announce no more items together than the message has bytes", () => {
  for (const parts of [
    Array.from({ length: 4 }, () => [0xc0, 0xff, 0x0d]),
    [[0xc0, 0xff, 0x02], ...Array.from({ length: 2 }, () => [0xe0, 0x02, 0x0c, 0x40])],
  ]) {
    const bytes = Uint8Array.from([0x00, 0x53, 0x77, ...parts.flat()]);
    assert.throws(() => decodeMessage(bytes), /more items than bytes/);
  }
});

test("sections of a body are joined once, whatever their number", { timeout: 10_000 }, () => {
  const many = (...section: readonly number[]): Uint8Array =>
    Uint8Array.from({ length: 400_000 * section.length }, (_, at) => section[at % section.length] ?? 0);
  const data = decodeMessage(many(0x00, 0x53, 0x75, 0xa0, 0x01, 0x07)).body;
  assert.equal(data.section === "data" && data.bytes.length, 400_000);
  const sequence = decodeMessage(many(0x00, 0x53, 0x76, 0xc0, 0x02, 0x01, 0x41)).body;
  assert.equal(sequence.section === "sequence" && sequence.items.length, 400_000);
});
