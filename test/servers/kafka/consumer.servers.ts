/** What flows get of a real broker: records with all that they have, by each option of the consumer. */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import type { TestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { startKafkaApp } from "./kafka-app.ts";
import { KafkaTester } from "./kafka-client.ts";
import { kafkaConnection } from "./kafka-connector.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

const skip = missing("Kafka");
let server: KafkaServer;
let tester: KafkaTester;
const patience = 60_000;

before(async () => {
  if (skip !== false) return;
  server = await startKafka();
  tester = new KafkaTester(server.ports.plain);
});
after(async () => {
  await tester?.close();
  await server?.close();
});

const app = (t: TestContext): Promise<TestApp> => startKafkaApp(t, server);

/** Deploys a route that logs what it gets. */
async function taking(
  started: TestApp,
  id: string,
  uri: string,
  parameters: string,
  steps: string,
  more = "",
): Promise<void> {
  const all = `groupId: ${id}, ${parameters}`;
  const yaml = `${more}- route: { id: ${id}, from: { uri: "${uri}", parameters: { ${all} }, steps: [${steps}] } }\n`;
  const answer = await started.put(id, yaml);
  assert.ok(answer.ok, await answer.text());
}

function logged(started: TestApp, id: string): readonly string[] {
  const lines = started.logs.filter(({ flowId, message }) => flowId === id && message.startsWith("got "));
  return lines.map(({ message }) => message.slice(4));
}

async function got(started: TestApp, id: string, count: number): Promise<readonly string[]> {
  await eventually(() => logged(started, id).length >= count, `${id} has got ${count}`, patience);
  return logged(started, id);
}

for (const protocol of ["classic", "consumer"]) {
  const id = (name: string): string => `${name}-${protocol}`;
  const group = `groupProtocol: ${protocol}`;

  test(`${protocol}: a message has the record's place, key, headers and time`, { skip }, async (t) => {
    const started = await app(t);
    await tester.create(id("fields"), 2);
    await tester.send(id("fields"), [{ partition: 1, key: "k", value: "v", headers: { mine: "yes", CamelX: "no" } }]);
    const steps = `{ log: "got \${header.CamelKafkaTopic} \${header.CamelKafkaPartition} \${header.CamelKafkaOffset} \${header.CamelKafkaKey} \${body} \${header.mine} [\${header.CamelX}] \${header.CamelKafkaHeaders[mine]}" }`;
    await taking(started, id("fields"), `kafka:${id("fields")}`, `${group}, autoOffsetReset: earliest`, steps);
    assert.deepEqual(await got(started, id("fields"), 1), [`${id("fields")} 1 0 k v yes [] yes`]);
  });

  test(`${protocol}: a record's trace is that of its run, and of what the run sends`, { skip }, async (t) => {
    const started = await app(t);
    await Promise.all([tester.create(id("traced")), tester.create(id("onward"))]);
    const traceId = "0af7651916cd43dd8448eb211c80319c";
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await tester.send(id("traced"), [{ value: "v", headers: { traceparent } }, { value: "w" }]);
    const steps = `{ removeHeaders: "*" }, { to: "kafka:${id("onward")}" }, { log: "got \${body}" }`;
    await taking(started, id("traced"), `kafka:${id("traced")}`, `${group}, autoOffsetReset: earliest`, steps);
    await got(started, id("traced"), 2);
    const sent = (await tester.read(id("onward"))).map(({ value, headers }) => [
      String(value),
      ...headers.map(([name, text]) => `${name}=${text}`),
    ]);
    assert.deepEqual(sent, [["v", `traceparent=${traceparent}`], ["w"]]);
    const runs = (await (await started.api(`/runs?routeId=${id("traced")}`)).json()) as { traceId: string }[];
    assert.equal(runs.filter((run) => run.traceId === traceId).length, 1);
  });

  test(`${protocol}: where a group without a position begins, and that seekTo goes before its position`, {
    skip,
  }, async (t) => {
    const started = await app(t);
    await tester.create(id("begin"));
    await tester.send(id("begin"), [{ value: "old" }]);
    const topic = `kafka:${id("begin")}`;
    await taking(started, id("latest"), topic, `${group}, autoOffsetReset: latest`, `{ log: "got \${body}" }`);
    // Its position is committed before the first record.
    await eventually(async () => (await tester.lag(id("begin"), id("latest"))) === 0, "it has a position", patience);
    await tester.send(id("begin"), [{ value: "new" }]);
    assert.deepEqual(await got(started, id("latest"), 1), ["new"]);
    await taking(started, id("none"), topic, `${group}, autoOffsetReset: none`, `{ log: "got \${body}" }`);
    await eventually(
      () => started.logs.some(({ message }) => /cannot poll: .*autoOffsetReset is none/.test(message)),
      "it is reported",
      patience,
    );
    await taking(started, id("latest"), topic, `${group}, seekTo: BEGINNING`, `{ log: "got again \${body}" }`);
    assert.deepEqual((await got(started, id("latest"), 3)).slice(1), ["again old", "again new"]);
  });

  test(`${protocol}: batches are lists of exchanges, complete or after a time`, { skip }, async (t) => {
    const started = await app(t);
    await tester.create(id("batch"), 1);
    await tester.send(
      id("batch"),
      Array.from({ length: 7 }, (_, at) => ({ value: `b${at}` })),
    );
    const options = `${group}, autoOffsetReset: earliest, batching: true, maxPollRecords: 5, pollTimeoutMs: 300`;
    const steps = `{ log: "got \${body.size()} \${body[0].message.body} \${header.CamelKafkaTopic}" }, { split: { simple: "\${body}", steps: [{ log: "part \${body.message.body}" }] } }`;
    await taking(started, id("batch"), `kafka:${id("batch")}`, options, steps);
    assert.deepEqual(await got(started, id("batch"), 2), [`5 b0 ${id("batch")}`, `2 b5 ${id("batch")}`]);
    await eventually(async () => (await tester.lag(id("batch"), id("batch"))) === 0, "all is committed", patience);
    assert.equal(started.logs.filter(({ message }) => /^part b\d$/.test(message)).length, 7);
  });

  test(`${protocol}: without autoCommitEnable a position moves when a message commits it, and not before`, {
    skip,
  }, async (t) => {
    const started = await app(t);
    await tester.create(id("manual"));
    await tester.send(id("manual"), [{ value: "a" }, { value: "commit" }, { value: "b" }]);
    const options = `${group}, autoOffsetReset: earliest, autoCommitEnable: false, allowManualCommit: true`;
    const steps = `{ filter: { simple: "\${body} == 'commit'", steps: [{ to: "kamelet:kafka-manual-commit-action" }] } }, { log: "got \${body} \${header.CamelKafkaLastPollRecord}" }`;
    await taking(started, id("manual"), `kafka:${id("manual")}`, options, steps);
    assert.deepEqual(await got(started, id("manual"), 3), ["a false", "commit false", "b true"]);
    await eventually(async () => (await tester.lag(id("manual"), id("manual"))) === 1, "two are committed", patience);
  });

  test(`${protocol}: breakOnFirstError takes a record again until it is done; otherwise the next one comes`, {
    skip,
  }, async (t) => {
    const started = await app(t);
    await tester.create(id("break"));
    await tester.send(id("break"), [{ value: "a" }, { value: "bad" }, { value: "c" }]);
    const fail = `{ log: "got \${body}" }, { filter: { simple: "\${body} == 'bad'", steps: [{ throwException: { exceptionType: java.io.IOException, message: no } }] } }`;
    const options = `${group}, autoOffsetReset: earliest`;
    await taking(started, id("next"), `kafka:${id("break")}`, options, fail);
    assert.deepEqual(await got(started, id("next"), 3), ["a", "bad", "c"]);
    await taking(started, id("break"), `kafka:${id("break")}`, `${options}, breakOnFirstError: true`, fail);
    assert.deepEqual((await got(started, id("break"), 4)).slice(0, 4), ["a", "bad", "bad", "bad"]);
    assert.equal(await tester.lag(id("break"), id("break")), 2);
  });

  test(`${protocol}: topics by a pattern, those that come later, and several of them`, { skip }, async (t) => {
    const started = await app(t);
    await Promise.all([tester.create(id("pat-a")), tester.create(id("pat-b")), tester.create(id("other"))]);
    for (const topic of ["pat-a", "pat-b", "other"]) await tester.send(id(topic), [{ value: topic }]);
    const options = `${group}, autoOffsetReset: earliest, topicIsPattern: true, metadataMaxAgeMs: 500, heartbeatIntervalMs: 200`;
    await taking(started, id("pattern"), `kafka:pat-.-${protocol}`, options, `{ log: "got \${body}" }`);
    assert.deepEqual([...(await got(started, id("pattern"), 2))].sort(), ["pat-a", "pat-b"]);
    await tester.create(id("pat-c"));
    await tester.send(id("pat-c"), [{ value: "pat-c" }]);
    assert.equal((await got(started, id("pattern"), 3)).at(-1), "pat-c");
    const several = `kafka:${id("pat-a")},${id("other")}`;
    await taking(started, id("several"), several, `${group}, autoOffsetReset: earliest`, `{ log: "got \${body}" }`);
    assert.deepEqual([...(await got(started, id("several"), 2))].sort(), ["other", "pat-a"]);
  });
}

test("a record that cannot be read is a failed run, and the next one comes", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("classes");
  await tester.send("classes", [
    { value: Buffer.from([0, 0, 0, 7]) },
    { value: "xy" },
    { value: Buffer.from([0, 0, 0, 8]) },
  ]);
  const integer = "org.apache.kafka.common.serialization.IntegerDeserializer";
  await taking(
    started,
    "classes",
    "kafka:classes",
    `autoOffsetReset: earliest, valueDeserializer: ${integer}`,
    `{ log: "got \${body}" }`,
  );
  assert.deepEqual(await got(started, "classes", 2), ["7", "8"]);
  const runs = (await (await started.api("/runs?routeId=classes")).json()) as { error?: { type: string } }[];
  assert.ok(
    runs.some(({ error }) => error?.type.endsWith("SerializationException")),
    JSON.stringify(runs),
  );
});

test("a changed document, and a flow that is deleted and deployed again, go on where they were", {
  skip,
}, async (t) => {
  const started = await app(t);
  await tester.create("goes-on");
  await taking(started, "goes-on", "kafka:goes-on", "autoOffsetReset: earliest", `{ log: "got \${body}" }`);
  await tester.send("goes-on", [{ value: "1" }]);
  await got(started, "goes-on", 1);
  await putConnection(
    started,
    "kafka",
    kafkaConnection(server.ports.sasl, { flows: ["*"], default: true, options: { saslMechanism: "PLAIN" } }),
  );
  await tester.send("goes-on", [{ value: "2" }]);
  await got(started, "goes-on", 2);
  assert.ok((await started.api("/flows/goes-on", { method: "DELETE" })).ok);
  await eventually(async () => (await tester.members("goes-on")) === 0, "it has left its group", patience);
  await tester.send("goes-on", [{ value: "3" }]);
  await taking(started, "goes-on", "kafka:goes-on", "autoOffsetReset: earliest", `{ log: "got \${body}" }`);
  assert.deepEqual(await got(started, "goes-on", 3), ["1", "2", "3"]);
});
