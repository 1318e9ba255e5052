/** What messages become at a real broker: records with keys, partitions, headers and times, and failures with their class. */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { turn } from "../../support/clock.ts";
import type { TestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { startKafkaApp } from "./kafka-app.ts";
import { KafkaTester } from "./kafka-client.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

const skip = missing("Kafka");
let server: KafkaServer;
let tester: KafkaTester;

before(async () => {
  if (skip !== false) return;
  server = await startKafka({ settings: { "message.max.bytes": "300000" } });
  tester = new KafkaTester(server.ports.plain);
});
after(async () => {
  await tester?.close();
  await server?.close();
});

/** Deploys a webhook that sends, and resolves with what posts to it. */
async function sending(
  app: TestApp,
  id: string,
  steps: string,
): Promise<(body: string, json?: boolean) => Promise<string>> {
  const answer = await app.put(id, `- route: { id: ${id}, from: { uri: webhook, steps: [${steps}] } }\n`);
  assert.ok(answer.ok, await answer.text());
  return async (body, json = false) => {
    const type = json ? "application/json" : "text/plain";
    const reply = await app.post(`/api/${id}`, body, { "Content-Type": type });
    return `${reply.status} ${await reply.text()}`;
  };
}

async function failureOf(app: TestApp, id: string): Promise<{ readonly type?: string; readonly message?: string }> {
  const [run] = (await (await app.api(`/runs?routeId=${id}`)).json()) as {
    error?: { type: string; message: string };
  }[];
  return run?.error ?? {};
}

const app = (t: TestContext): Promise<TestApp> => startKafkaApp(t, server);

test("a record has the key, the partition, the headers and the time that the message gives it", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("plain", 3);
  const post = await sending(
    started,
    "plain",
    `{ setHeader: { name: CamelKafkaKey, constant: k1 } }, { setHeader: { name: CamelKafkaPartitionKey, constant: "2" } },
     { setHeader: { name: CamelKafkaOverrideTimestamp, constant: "1700000000000" } }, { setHeader: { name: mine, constant: yes } },
     { setHeader: { name: CamelOther, constant: no } }, { to: "kafka:plain?recordMetadata=true" },
     { setBody: { simple: "\${header.CamelKafkaRecordMeta[0][partition]} \${header.CamelKafkaRecordMeta[0][offset]} \${header.CamelKafkaOverrideTimestamp}" } }`,
  );
  assert.equal(await post("hello"), "200 2 0 ");
  const [record] = await tester.read("plain");
  assert.ok(record);
  assert.deepEqual(
    [record.partition, String(record.key), String(record.value), record.timestamp],
    [2, "k1", "hello", 1_700_000_000_000n],
  );
  const names = record.headers.map(([name]) => String(name));
  assert.ok(names.includes("mine") && !names.some((name) => /^camel/i.test(name)), names.join());
});

test("options go before headers, and another topic is taken of the message once", { skip }, async (t) => {
  const started = await app(t);
  await Promise.all([tester.create("first", 2), tester.create("other", 2)]);
  const post = await sending(
    started,
    "first",
    `{ setHeader: { name: CamelKafkaKey, constant: no } }, { setHeader: { name: CamelKafkaOverrideTopic, constant: other } },
     { to: "kafka:first?key=own&partitionKey=1" }, { to: "kafka:first?key=own&partitionKey=1" }`,
  );
  assert.match(await post("x"), /^200/);
  for (const topic of ["first", "other"])
    assert.deepEqual(
      (await tester.read(topic)).map(({ key, partition }) => [String(key), partition]),
      [["own", 1]],
    );
});

test("a list is a record for each element, in their order, in one partition, or one record", { skip }, async (t) => {
  const started = await app(t);
  await Promise.all([tester.create("list", 4), tester.create("whole")]);
  const many = await sending(started, "list", `{ unmarshal: { json: {} } }, { to: "kafka:list" }`);
  assert.match(await many(JSON.stringify(Array.from({ length: 50 }, (_, at) => `m${at}`)), true), /^200/);
  const records = await tester.read("list");
  assert.equal(new Set(records.map(({ partition }) => partition)).size, 1);
  assert.deepEqual(
    records.map(({ value }) => String(value)),
    Array.from({ length: 50 }, (_, at) => `m${at}`),
  );
  const one = await sending(started, "whole", `{ unmarshal: { json: {} } }, { to: "kafka:whole?useIterator=false" }`);
  assert.match(await one('["a","b"]', true), /^200/);
  assert.deepEqual(
    (await tester.read("whole")).map(({ value }) => String(value)),
    ["[a, b]"],
  );
});

test("each compression, acknowledgement and serializer is written and read back", { skip }, async (t) => {
  const started = await app(t);
  const ways = [
    ...["none", "gzip", "snappy", "lz4", "zstd"].map((codec) => `compressionCodec=${codec}`),
    ...["all", "-1", "1"].map((acks) => `requestRequiredAcks=${acks}`),
    "requestRequiredAcks=0",
    "enableIdempotence=false",
    "lingerMs=5",
    "valueSerializer=org.apache.kafka.common.serialization.ByteArraySerializer",
  ];
  await tester.create("ways", 1);
  for (const [at, way] of ways.entries()) {
    const post = await sending(started, `way${at}`, `{ to: "kafka:ways?${way}" }`);
    assert.match(await post(`${at} ${"x".repeat(500)}`), /^200/, way);
  }
  const all = async (): Promise<number> => (await tester.read("ways")).length;
  for (let tries = 0; tries < 50 && (await all()) < ways.length; tries += 1) await turn();
  assert.deepEqual(
    (await tester.read("ways")).map(({ value }) => Number(String(value).split(" ")[0])),
    [...ways.keys()],
  );
});

test("a topic, a partition and a record that cannot be have their class, and others are sent", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("some", 2);
  const failing = [
    ["missing", "kafka:not-there?maxBlockMs=200", "UnknownTopicOrPartitionException"],
    ["partition", "kafka:some?partitionKey=7", "KafkaException"],
    ["large", "kafka:some?maxRequestSize=100", "RecordTooLargeException"],
    [
      "serializer",
      "kafka:some?valueSerializer=org.apache.kafka.common.serialization.LongSerializer",
      "SerializationException",
    ],
  ] as const;
  for (const [id, uri, type] of failing) {
    const post = await sending(started, id, `{ to: "${uri}" }`);
    assert.match(await post("x".repeat(200)), /^500/, id);
    assert.match(
      (await failureOf(started, id)).type ?? "",
      new RegExp(`\\.${type}$`),
      JSON.stringify(await failureOf(started, id)),
    );
  }
  // What only the broker finds too large fails alone.
  const post = await sending(started, "broker", `{ to: "kafka:some" }`);
  const answers = await Promise.all([post("a"), post("y".repeat(400_000)), post("b")]);
  assert.deepEqual(
    answers.map((answer) => answer.slice(0, 3)),
    ["200", "500", "200"],
  );
  assert.match(
    (await tester.read("some"))
      .map(({ value }) => String(value))
      .sort()
      .join(),
    /^a,b$/,
  );
});

test("a topic of a message, and a second endpoint of the flow, share the client", { skip }, async (t) => {
  const started = await app(t);
  await Promise.all([tester.create("t-a"), tester.create("t-b")]);
  const post = await sending(started, "dynamic", `{ toD: "kafka:t-\${body}" }, { to: "kafka:t-a" }`);
  assert.match(await post("b"), /^200/);
  const { open } = (await (await started.api("/connections/kafka")).json()).state as { readonly open: number };
  assert.equal(open, 1);
  assert.equal((await tester.read("t-a")).length + (await tester.read("t-b")).length, 2);
});
