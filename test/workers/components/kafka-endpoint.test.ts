/** The parts of the kafka component that need no broker: logins, classes of keys and bodies, headers, and refused properties. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { messageHeaders, recordHeaders } from "../../../src/workers/components/kafka/headers.ts";
import { readJaas } from "../../../src/workers/components/kafka/jaas.ts";
import { refuseProperties } from "../../../src/workers/components/kafka/properties.ts";
import { deserializerOf, serializerOf } from "../../../src/workers/components/kafka/serializers.ts";

const plain = "org.apache.kafka.common.security.plain.PlainLoginModule";
const scram = "org.apache.kafka.common.security.scram.ScramLoginModule";

test("user and password are read out of a JAAS text, however it is quoted", () => {
  const expected = { username: "u", password: 'p"; =x' };
  assert.deepEqual(readJaas(`${plain} required username="u" password="p\\"; =x";`), expected);
  assert.deepEqual(readJaas(`  ${scram}  required\n username='u'\n password='p"; =x' ;`), expected);
  assert.deepEqual(readJaas(`${plain} required username=$ConnectionString password={{x}};`), {
    username: "$ConnectionString",
    password: "{{x}}",
  });
});

test("other login modules and texts are refused with what to write, and without the password", () => {
  const refused = [
    [
      "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
      /OAuthBearerLoginModule.*OAUTHBEARER/,
    ],
    ["com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true;", /Krb5LoginModule.*SCRAM-SHA-512/],
    ["com.example.Mine required;", /'com\.example\.Mine'.*write PlainLoginModule/],
    [`${plain} optional username="u" password="geheim";`, /write required/],
    [`${plain} required username="u" password="geheim" serviceName="x";`, /'serviceName'/],
    [`${plain} required username="u";`, /password is missing/],
    [`${plain} required username="u" password="geheim" nonsense`, /is expected as/],
    ["", /is expected as/],
  ] as const;
  for (const [text, expected] of refused)
    assert.throws(
      () => readJaas(text),
      ({ message }: Error) => expected.test(message) && !message.includes("geheim"),
      text,
    );
});

const classOf = (name: string): string => `org.apache.kafka.common.serialization.${name}`;

test("keys and bodies are bytes as Java's serializers make them, and come back", () => {
  const cases = [
    ["String", "äöü", "c3a4c3b6c3bc", "äöü"],
    ["Integer", "-2", "fffffffe", -2],
    ["Long", 258, "0000000000000102", 258],
    ["Long", 2n ** 62n, "4000000000000000", 2n ** 62n],
    ["Short", "7", "0007", 7],
    ["Double", 1.5, "3ff8000000000000", 1.5],
    ["Float", 1.5, "3fc00000", 1.5],
    ["Boolean", "TRUE", "01", true],
    [
      "UUID",
      "123e4567-e89b-12d3-a456-426614174000",
      Buffer.from("123e4567-e89b-12d3-a456-426614174000").toString("hex"),
      "123e4567-e89b-12d3-a456-426614174000",
    ],
  ] as const;
  for (const [name, value, hex, back] of cases) {
    const bytes = serializerOf("valueSerializer", classOf(`${name}Serializer`))(value);
    assert.equal(bytes?.toString("hex"), hex, name);
    assert.equal(deserializerOf("valueDeserializer", classOf(`${name}Deserializer`))(bytes), back, name);
  }
  const bytes = serializerOf("valueSerializer", classOf("ByteArraySerializer"))(Uint8Array.of(1, 2));
  assert.deepEqual(deserializerOf("valueDeserializer", classOf("BytesDeserializer"))(bytes), Uint8Array.of(1, 2));
  assert.equal(serializerOf("keySerializer", classOf("StringSerializer"))(null), null);
  assert.equal(serializerOf("keySerializer", classOf("VoidSerializer"))("x"), null);
  assert.equal(deserializerOf("keyDeserializer", classOf("IntegerDeserializer"))(null), null);
});

test("what is no number, too large or too short fails as a serialization, and other classes are refused by name", () => {
  assert.throws(
    () => serializerOf("valueSerializer", classOf("IntegerSerializer"))("x"),
    /valueSerializer IntegerSerializer/,
  );
  assert.throws(() => serializerOf("valueSerializer", classOf("IntegerSerializer"))(2 ** 31), /is not from/);
  assert.throws(() => serializerOf("valueSerializer", classOf("DoubleSerializer"))("x"), /is no number/);
  assert.throws(() => serializerOf("valueSerializer", classOf("UUIDSerializer"))("x"), /is no UUID/);
  for (const name of ["Integer", "Long", "Short", "Float", "Double", "Boolean"])
    assert.throws(() => deserializerOf("keyDeserializer", classOf(`${name}Deserializer`))(Buffer.alloc(3)), /3 bytes/);
  const avro = "io.confluent.kafka.serializers.KafkaAvroDeserializer";
  assert.throws(
    () => deserializerOf("valueDeserializer", avro),
    /KafkaAvroDeserializer' is a class of the JVM: write .*ByteArrayDeserializer/,
  );
});

test("headers are sent as Camel's serializer has them, and those that direct the runtime go neither way", () => {
  const sent = recordHeaders([
    ["text", "a"],
    ["int", 1],
    ["long", 2 ** 40],
    ["big", 5n],
    ["double", 0.5],
    ["flag", true],
    ["bytes", Uint8Array.of(9)],
    ["list", [1]],
    ["CamelFileName", "x"],
    ["camelhttppath", "x"],
    ["org.apache.camel.x", "x"],
    ["kafka.KEY", "x"],
  ]);
  assert.deepEqual(
    sent.map(([name, value]) => [String(name), value.toString("hex")]),
    [
      ["text", "61"],
      ["int", "00000001"],
      ["long", "0000010000000000"],
      ["big", "0000000000000005"],
      ["double", "3fe0000000000000"],
      ["flag", "74727565"],
      ["bytes", "09"],
    ],
  );
  const headers = [
    ...sent,
    [Buffer.from("CamelKafkaKey"), Buffer.from("x")],
    [null, Buffer.from("x")],
    [Buffer.from("text"), null],
  ] as const;
  const record = { offset: 0n, timestamp: 0n, key: null, value: null, headers };
  const taken = new Map(messageHeaders(record, "bytes"));
  assert.deepEqual([...taken.keys()], ["text", "int", "long", "big", "double", "flag", "bytes"]);
  assert.equal(taken.get("text"), null);
  assert.deepEqual(taken.get("bytes"), Uint8Array.of(9));
  assert.equal(new Map(messageHeaders(record, "text")).get("flag"), "true");
});

test("properties of the Java client are refused with the option to write", () => {
  refuseProperties(undefined);
  const refused = [
    ["schema.registry.url=http://x", /schema\.registry\.url is for a schema registry/],
    ["max.poll.records=5", /write maxPollRecords/],
    ["acks=all", /write requestRequiredAcks/],
    ["sasl.login.class=x", /is a property of Kafka's Java client/],
    ["transactional.id=x", /leave it out/],
  ] as const;
  for (const [text, expected] of refused) assert.throws(() => refuseProperties(text), expected);
});
