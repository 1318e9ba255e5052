/** Options of the kafka component that no other test sets: what each of them changes at a real broker. */
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { Producer } from "@platformatic/kafka";
import { eventually, every, monotonicMs } from "../../support/clock.ts";
import { encodings } from "../../support/encodings.ts";
import { startHttpServer } from "../../support/http-server.ts";
import type { TestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { startKafkaApp } from "./kafka-app.ts";
import { KafkaTester } from "./kafka-client.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

const skip = missing("Kafka");
const patience = 60_000;
const serde = "org.apache.kafka.common.serialization.Integer";
const forever = 600_000;
let server: KafkaServer;
let tester: KafkaTester;

before(async () => {
  if (skip !== false) return;
  server = await startKafka();
  tester = new KafkaTester(server.ports.plain);
});
after(async () => {
  await tester?.close();
  await server?.close();
});

const app = (t: TestContext, egressAllow = "", limits = {}): Promise<TestApp> =>
  startKafkaApp(t, server, { egressAllow, limits });

async function put(started: TestApp, id: string, from: string, steps: string): Promise<void> {
  const answer = await started.put(id, `- route: { id: ${id}, from: { ${from}, steps: [${steps}] } }\n`);
  assert.ok(answer.ok, await answer.text());
}

/** Deploys a route of a group of its own that logs what it gets from the first record on. */
function taking(started: TestApp, id: string, topic: string, more: string, steps: string): Promise<void> {
  const own = more.includes("groupId:") ? more : `groupId: ${id}${more === "" ? "" : `, ${more}`}`;
  return put(started, id, `uri: "kafka:${topic}", parameters: { autoOffsetReset: earliest, ${own} }`, steps);
}

async function got(started: TestApp, id: string, count: number): Promise<readonly string[]> {
  const lines = (): readonly string[] =>
    started.logs
      .filter(({ flowId, message }) => flowId === id && message.startsWith("got "))
      .map(({ message }) => message.slice(4));
  await eventually(() => lines().length >= count, `${id} has got ${count}`, patience);
  return lines();
}

/** Deploys a webhook that sends, and returns what posts to it. */
async function sending(started: TestApp, id: string, steps: string): Promise<(body: string) => Promise<string>> {
  await put(started, id, "uri: webhook", steps);
  return async (body) => {
    const reply = await started.post(`/api/${id}`, body, { "Content-Type": "text/plain" });
    await reply.text();
    if (reply.ok) return "";
    const [run] = (await (await started.api(`/runs?routeId=${id}`)).json()) as { error?: { message: string } }[];
    return run?.error?.message ?? "no failure";
  };
}

const reported = (started: TestApp, what: RegExp): Promise<unknown> =>
  eventually(() => started.logs.some(({ message }) => what.test(message)), `${what} is reported`, patience);

test("bytes of each character set are sent as the text that they are", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("sets");
  await put(started, "sets", "uri: webhook", `{ to: "kafka:sets" }`);
  await taking(started, "set", "sets", "", `{ log: "got \${body}" }`);
  for (const { name, characters, encode } of encodings) {
    const headers = { "Content-Type": `text/plain; charset=${name}` };
    const body = new Uint8Array(encode(`${name} ${characters}`));
    const sent = await fetch(`${started.url}/api/sets`, { method: "POST", headers, body });
    assert.ok(sent.ok, `${name}: ${await sent.text()} ${JSON.stringify(started.logs.slice(-3))}`);
  }
  const expected = encodings.map(({ name, characters }) => `${name} ${characters}`);
  assert.deepEqual([...(await got(started, "set", expected.length))].sort(), expected.sort());
});

test("keys are bytes of their serializer, and read by theirs; headers are bytes or text", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("keys");
  const send = await sending(started, "keys", `{ to: "kafka:keys?key=7&keySerializer=${serde}Serializer" }`);
  assert.equal(await send("x"), "");
  assert.equal((await tester.read("keys"))[0]?.key?.toString("hex"), "00000007");
  const isText = `{ setBody: { simple: "\${header.CamelKafkaKey}" } }, { choice: { when: [{ simple: "\${header.Content-Type} is 'java.lang.String'", steps: [{ log: "got \${body} text" }] }], otherwise: { steps: [{ log: "got \${body} bytes" }] } } }`;
  const key = `keyDeserializer: ${serde}Deserializer`;
  await taking(started, "as-bytes", "keys", `${key}, headerDeserializer: bytes`, isText);
  await taking(started, "as-text", "keys", `${key}, headerDeserializer: text`, isText);
  assert.deepEqual(
    [...(await got(started, "as-bytes", 1)), ...(await got(started, "as-text", 1))],
    ["7 bytes", "7 text"],
  );
});

test("partitionerIgnoreKeys spreads records of one key, which otherwise are in one partition", { skip }, async (t) => {
  const started = await app(t);
  for (const [id, ignores, expected] of [
    ["by-key", false, 1],
    ["spread", true, 2],
  ] as const) {
    await tester.create(id, 8);
    const send = await sending(started, id, `{ to: "kafka:${id}?key=k&partitionerIgnoreKeys=${ignores}" }`);
    for (let count = 0; count < 30; count += 1) assert.equal(await send("x"), "");
    const partitions = new Set((await tester.read(id)).map(({ partition }) => partition)).size;
    assert.ok(expected === 1 ? partitions === 1 : partitions > 1, `${id}: ${partitions}`);
  }
});

test("a batch waits for batchingIntervalMs; batchWithIndividualHeaders keeps the key of each record", {
  skip,
}, async (t) => {
  const started = await app(t);
  await tester.create("batched");
  await tester.send("batched", [
    { key: "a", value: "1" },
    { key: "b", value: "2" },
  ]);
  // The batch would be complete only with a third record, or after ten minutes.
  const batching = `batching: true, maxPollRecords: 3, pollTimeoutMs: ${forever}, batchingIntervalMs: 100`;
  for (const [individual, expected] of [
    [false, ["1", "2"]],
    [true, ["a1", "b2"]],
  ] as const) {
    const id = `individual-${individual}`;
    await tester.create(id);
    const to = `{ to: "kafka:${id}?batchWithIndividualHeaders=${individual}" }, { log: "got it" }`;
    await taking(started, id, "batched", batching, to);
    await got(started, id, 1);
    const records = await tester.read(id);
    assert.deepEqual(
      records.map(({ key, value }) => `${key ?? ""}${value}`),
      expected,
    );
  }
});

test("an answer has as many bytes as fetchMaxBytes and maxPartitionFetchBytes say", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("sizes");
  for (const value of ["a", "b", "c"]) await tester.send("sizes", [{ value: value.repeat(20_000) }]);
  for (const [at, [more, expected]] of [
    ["fetchWaitMaxMs: 100", ["false", "false", "true"]],
    ["fetchMaxBytes: 22000", ["true", "true", "true"]],
    ["maxPartitionFetchBytes: 22000", ["true", "true", "true"]],
  ].entries() as Iterable<[number, [string, string[]]]>) {
    // The last one of an answer is marked.
    const steps = `{ log: "got \${header.CamelKafkaLastPollRecord}" }`;
    await taking(started, `sizes-${at}`, "sizes", `allowManualCommit: true, ${more}`, steps);
    assert.deepEqual(await got(started, `sizes-${at}`, 3), expected, more);
  }
});

test("records wait for fetchMinBytes, and no longer than fetchWaitMaxMs", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("least");
  const log = `{ log: "got \${body.length()}" }`;
  await taking(started, "patient", "least", `fetchMinBytes: 30000, fetchWaitMaxMs: ${forever}`, log);
  await taking(started, "hasty", "least", "fetchMinBytes: 30000, fetchWaitMaxMs: 200", log);
  for (const id of ["patient", "hasty"])
    await eventually(async () => (await tester.members(id)) === 1, `${id} is a member`, patience);
  await tester.send("least", [{ value: "x" }]);
  await got(started, "hasty", 1);
  assert.deepEqual(await got(started, "patient", 0), []);
  await tester.send("least", [{ value: "y".repeat(40_000) }]);
  assert.deepEqual(await got(started, "patient", 2), ["1", "40000"]);
});

test("read_committed leaves out what a transaction has not committed", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("isolated");
  const transactional = new Producer({
    ...{ clientId: "transactional", bootstrapBrokers: [`127.0.0.1:${server.ports.plain}`] },
    ...{ transactionalId: "tx", idempotent: true },
  });
  for (const [value, commits] of [
    ["dropped", false],
    ["kept", true],
  ] as const) {
    const transaction = await transactional.beginTransaction();
    await transaction.send({ messages: [{ topic: "isolated", value: Buffer.from(value) }] });
    await (commits ? transaction.commit() : transaction.abort());
  }
  await transactional.close();
  const log = `{ log: "got \${body}" }`;
  await taking(started, "uncommitted", "isolated", "isolationLevel: read_uncommitted", log);
  await taking(started, "committed", "isolated", "isolationLevel: read_committed", log);
  assert.deepEqual(await got(started, "uncommitted", 2), ["dropped", "kept"]);
  assert.deepEqual(await got(started, "committed", 1), ["kept"]);
});

test("positions are collected for autoCommitIntervalMs, and committed when the consumer leaves", {
  skip,
}, async (t) => {
  const started = await app(t);
  await tester.create("interval");
  await tester.send("interval", [{ value: "x" }]);
  const log = `{ log: "got \${body}" }`;
  await taking(started, "soon", "interval", "autoCommitIntervalMs: 0", log);
  await taking(started, "late", "interval", `autoCommitIntervalMs: ${forever}`, log);
  await got(started, "late", 1);
  await eventually(async () => (await tester.lag("interval", "soon")) === 0, "one is committed", patience);
  assert.equal(await tester.lag("interval", "late"), 1);
  assert.ok((await started.api("/flows/late", { method: "DELETE" })).ok);
  await eventually(async () => (await tester.lag("interval", "late")) === 0, "the other one is, too", patience);
});

test("a member has its groupInstanceId, and a time out of what the broker takes is refused by it", {
  skip,
}, async (t) => {
  const started = await app(t);
  await tester.create("members");
  await taking(started, "instance", "members", "groupInstanceId: mine-alone", `{ log: "got \${body}" }`);
  await eventually(
    async () => (await tester.instances("instance")).join() === "mine-alone",
    "the group has it",
    patience,
  );
  const short = "sessionTimeoutMs: 900, heartbeatIntervalMs: 300";
  await taking(started, "session", "members", short, `{ log: "got \${body}" }`);
  await reported(started, /'session' cannot poll: .*session timeout/i);
});

test("a run that outlasts maxPollIntervalMs does not hold up a group that shares out anew", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("outlasted");
  await tester.send("outlasted", [{ value: "x" }]);
  const group = "groupId: outlasted, maxPollIntervalMs: 500, heartbeatIntervalMs: 200";
  await taking(started, "a-holder", "outlasted", group, `{ log: "got \${body}" }, { delay: { constant: ${forever} } }`);
  await got(started, "a-holder", 1);
  const other = `${group}, groupInstanceId: "0"`;
  await taking(started, "b-taker", "outlasted", other, `{ log: "got \${body}" }`);
  assert.deepEqual(await got(started, "b-taker", 1), ["x"]);
});

test("a producer pauses between attempts, longer each time, up to retryBackoffMaxMs", { skip }, async (t) => {
  const started = await app(t);
  const send = await sending(
    started,
    "pauses",
    `{ to: "kafka:no-such-topic?maxBlockMs=60000&retries=2&retryBackoffMs=1000&retryBackoffMaxMs=2000" }`,
  );
  const began = monotonicMs();
  assert.match(await send("x"), /Unknown topic|does not exist|UNKNOWN_TOPIC/i);
  // Pauses of 1000 and 2000 ms, less a fifth.
  assert.ok(monotonicMs() - began >= 2400);
});

test("what a broker that has stopped answering leaves open has its time", { skip }, async (t) => {
  const gate: (() => void)[] = [];
  const upstream = await startHttpServer(t, (_, response) => void gate.push(() => response.end("ok")));
  // The system connects to a process that is stopped; what the client asks then is given up after this time.
  const started = await app(t, upstream.host, { outboundConnectMs: 3000 });
  await tester.create("stopped");
  await tester.send("stopped", [{ value: "x" }]);
  const send = await sending(
    started,
    "unconfirmed",
    `{ to: "kafka:stopped?requestTimeoutMs=300&retries=0&partitionKey=0" }`,
  );
  assert.equal(await send("y"), "");
  const waits = `{ to: "${upstream.url}/wait" }, { log: "got it" }`;
  await taking(started, "commits", "stopped", `commitTimeoutMs: 300, consumerRequestTimeoutMs: ${forever}`, waits);
  await taking(
    started,
    "fetches",
    "stopped",
    "consumerRequestTimeoutMs: 300, fetchWaitMaxMs: 100",
    `{ log: "got it" }`,
  );
  await got(started, "fetches", 2);
  await eventually(() => gate.length === 1, "a run is under way", patience);
  const { pid } = server.process;
  assert.ok(pid !== undefined);
  process.kill(pid, "SIGSTOP");
  try {
    assert.match(await send("z"), /timed out/i);
    gate.shift()?.();
    await reported(started, /'commits' could not be committed.*commitTimeoutMs, 300 ms/);
    await reported(started, /'fetches' cannot poll: .*timed out/i);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  t.after(every(50, () => gate.shift()?.()));
  await eventually(async () => (await tester.lag("stopped", "commits")) === 0, "it is committed", patience);
});

test("a broker that is gone is looked for with pauses up to reconnectBackoffMaxMs", { skip }, async (t) => {
  const started = await app(t);
  await tester.create("gone");
  const to = `kafka:gone?retries=2&retryBackoffMs=1000&reconnectBackoffMaxMs=2000`;
  const send = await sending(started, "gone", `{ to: "${to}" }`);
  assert.equal(await send("x"), "");
  await server.process.stop("SIGKILL");
  const began = monotonicMs();
  assert.match(await send("x"), /ECONNREFUSED|closed|connection/i);
  assert.ok(monotonicMs() - began >= 2400);
});
