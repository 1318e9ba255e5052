/** Each way of logging in to a real broker, in connections and in endpoints, and brokers that it announces. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { epochMs } from "../../support/clock.ts";
import { cert } from "../../support/localhost-cert.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";
import { missing } from "../missing.ts";
import { putConnection } from "../sql/connection-document.ts";
import { KafkaTester } from "./kafka-client.ts";
import { kafkaConnection } from "./kafka-connector.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";

const skip = missing("Kafka");
let server: KafkaServer;

before(async () => {
  if (skip === false) server = await startKafka();
});
after(() => server?.close());

interface Trial {
  readonly ok: boolean;
  readonly error?: string;
  readonly tls?: string | null;
}

/** A token without a signature, which the test's broker takes. */
function token(): string {
  const now = Math.floor(epochMs() / 1000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part({ sub: "tester", iat: now, exp: now + 3600 })}.`;
}

/** Where other work keeps the processors busy, a thread that tries a connection may be ended for its time. */
async function tried({ api }: TestApp): Promise<Trial> {
  let trial: Trial = { ok: false };
  for (let tries = 0; tries < 5; tries += 1) {
    trial = (await (await api("/connections/tried/test", { method: "POST" })).json()) as Trial;
    if (trial.error !== "the thread that tried it ended") return trial;
  }
  return trial;
}

test("each mechanism logs in, over TLS, too, and its failure has a name", { skip }, async (t) => {
  const { sasl, secure, plain } = server.ports;
  const secrets = { "_connections/KAFKA": server.password, "_connections/TOKEN": token(), "_connections/WRONG": "no" };
  const app = await startTestApp(t, { secrets });
  const all = { flows: ["*"] };
  const by = (saslMechanism: string, more: object = {}) =>
    kafkaConnection(sasl, { ...all, options: { saslMechanism }, ...more });
  const encrypted = { servers: [`localhost:${secure}`], tls: { ca: cert } };
  const trials: readonly (readonly [document: Record<string, unknown>, expected: RegExp | undefined])[] = [
    ...["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"].map((name) => [by(name), undefined] as const),
    [by("OAUTHBEARER", { passwordRef: "TOKEN" }), undefined],
    [by("SCRAM-SHA-512", encrypted), undefined],
    [kafkaConnection(plain, { ...all, username: undefined, passwordRef: undefined, options: {} }), undefined],
    ...["PLAIN", "SCRAM-SHA-512"].map(
      (name) => [by(name, { passwordRef: "WRONG" }), /authentication failed/i] as const,
    ),
    [by("OAUTHBEARER", { passwordRef: "WRONG" }), /./],
    [by("SCRAM-SHA-512", { ...encrypted, tls: {} }), /self-signed certificate/],
    [by("SCRAM-SHA-512", { ...encrypted, tls: { ca: cert, serverName: "other.example" } }), /altnames|does not match/],
    [by("SCRAM-SHA-512", { ...encrypted, tls: undefined }), /encrypted connection: write "tls"/],
    [by("SCRAM-SHA-512", { tls: { ca: cert } }), /TLS/],
  ];
  for (const [document, expected] of trials) {
    await putConnection(app, "tried", document);
    const { ok, error = "", tls } = await tried(app);
    assert.equal(ok, expected === undefined, `${JSON.stringify(document)}: ${error}`);
    if (expected !== undefined) assert.match(error, expected);
    if (ok) assert.equal(tls !== null, document["tls"] !== undefined);
  }
});

test("user and password of an endpoint are read out of saslJaasConfig, with a secret in it", { skip }, async (t) => {
  const { sasl, plain } = server.ports;
  const tester = new KafkaTester(plain);
  t.after(() => tester.close());
  await tester.create("own");
  const app = await startTestApp(t, { secrets: { "own/K": server.password }, egressAllow: `127.0.0.1:${sasl}` });
  const module = "org.apache.kafka.common.security.scram.ScramLoginModule";
  const jaas = `${module} required username="tester" password="{{secret:K}}";`;
  const parameters = `brokers: "127.0.0.1:${sasl}", securityProtocol: SASL_PLAINTEXT, saslMechanism: SCRAM-SHA-256, saslJaasConfig: '${jaas}'`;
  const yaml = `- route: { id: own, from: { uri: webhook, steps: [{ to: { uri: "kafka:own", parameters: { ${parameters} } } }] } }\n`;
  const put = await app.put("own", yaml);
  assert.ok(put.ok, await put.text());
  assert.equal((await app.post("/api/own", "hello")).status, 200);
  assert.deepEqual(
    (await tester.read("own")).map(({ value }) => String(value)),
    ["hello"],
  );
});

test("a broker that the cluster announces needs alsoServers, and the failure names it", { skip }, async (t) => {
  const other = await startKafka({ advertised: "localhost:1" });
  t.after(() => other.close());
  const tester = new KafkaTester(other.ports.plain);
  t.after(() => tester.close());
  await tester.create("x");
  const app = await startTestApp(t);
  await putConnection(app, "far", { kind: "kafka", servers: [`127.0.0.1:${other.ports.plain}`], flows: ["*"] });
  const yaml = `- route: { id: far, from: { uri: webhook, steps: [{ to: "kafka:x?brokers=#far&deliveryTimeoutMs=3000" }] } }\n`;
  assert.ok((await app.put("far", yaml)).ok);
  assert.equal((await app.post("/api/far", "x")).status, 500);
  const [run] = (await (await app.api("/runs?routeId=far")).json()) as { error?: { message: string } }[];
  assert.match(run?.error?.message ?? "", /localhost:1 .*alsoServers/);
});
