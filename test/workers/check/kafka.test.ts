/** Endpoints of Kafka as the check reads them: brokers of their own, logins, and what is refused with what to write. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkReal, errorsOf } from "./real-catalog.ts";

const route = (from: string, steps = "[{ log: x }]"): string =>
  `- route: { id: main, from: { ${from}, steps: ${steps} } }\n`;
const consumer = (parameters: string): string => route(`uri: "kafka:orders", parameters: { ${parameters} }`);
const producer = (parameters: string): string =>
  route("uri: direct:start", `[{ to: { uri: "kafka:orders", parameters: { ${parameters} } } }]`);

const plain = "org.apache.kafka.common.security.plain.PlainLoginModule";

test("brokers of an endpoint's own, and named connections, are declared", async () => {
  const own = [
    "brokers: 'a:9092,b'",
    `brokers: 'a:9093', securityProtocol: SASL_SSL, saslMechanism: PLAIN, saslJaasConfig: '${plain} required username="u" password="{{secret:K}}";'`,
    "brokers: 'a:9093', saslAuthType: SCRAM_SHA_512, saslUsername: u, saslPassword: '{{secret:K}}'",
    "brokers: 'a:9093', saslAuthType: PLAIN, saslUsername: u, saslPassword: p, securityProtocol: SASL_PLAINTEXT",
    "brokers: 'a:9093', securityProtocol: SASL_SSL, saslMechanism: SCRAM-SHA-256, saslUsername: u, saslPassword: p",
    "brokers: 'a:9093', securityProtocol: SSL",
  ];
  for (const parameters of own)
    for (const yaml of [consumer(parameters), producer(parameters)]) {
      const { flow, diagnostics } = await checkReal(yaml);
      assert.equal(flow?.manifest.connections?.[0]?.own?.kind, "kafka", JSON.stringify(diagnostics));
    }
  const { flow } = await checkReal(producer('brokers: "#shop"'));
  assert.equal(flow?.manifest.connections?.[0]?.name, "shop");
  assert.equal((await checkReal(producer(""))).flow?.manifest.connections?.[0]?.name, undefined);
});

const refusedAtBoth: readonly (readonly [parameters: string, expected: RegExp])[] = [
  ["brokers: 'http://a:9092'", /as host:port/],
  ["securityProtocol: SSL", /securityProtocol belongs to brokers of the endpoint's own/],
  ['brokers: "#shop", saslMechanism: PLAIN', /saslMechanism belongs to brokers/],
  ["brokers: 'a', securityProtocol: SASL_SSL", /GSSAPI, which is Camel's default, is not there/],
  ["brokers: 'a', securityProtocol: SASL_SSL, saslMechanism: OAUTHBEARER", /OAUTHBEARER: name a connection/],
  ["brokers: 'a', securityProtocol: SASL_SSL, saslMechanism: PLAIN", /needs saslJaasConfig/],
  [`brokers: 'a', saslJaasConfig: '${plain} required username="u" password="p";'`, /needs securityProtocol/],
  ["brokers: 'a', saslAuthType: AWS_MSK_IAM", /AWS_MSK_IAM is not there: write PLAIN/],
  ["brokers: 'a', saslAuthType: SSL", /certRef and keyRef/],
  ["brokers: 'a', saslAuthType: OAUTH", /OAUTHBEARER and passwordRef/],
  ["brokers: 'a', saslAuthType: PLAIN", /needs saslUsername and saslPassword/],
  ["schemaRegistryURL: 'http://x'", /no client of a schema registry/],
  ["additionalProperties.schema.registry.url: 'http://x'", /no client/],
  ["sslTruststoreLocation: 'file:x'", /tls with ca, certRef and keyRef/],
  ["transactionalId: x", /no transactions of Kafka/],
  ["oauthClientId: x", /tokens are not fetched here/],
  ["checkCrcs: true", /checksums/],
  ["interceptorClasses: x", /class of the JVM/],
];

test("what cannot be is refused at both ends, with what to write", async () => {
  for (const [parameters, expected] of refusedAtBoth)
    for (const yaml of [consumer(parameters), producer(parameters)])
      assert.match((await errorsOf(yaml)).join(), expected, parameters);
});

test("contradictions of a consumer, and classes of the JVM, are refused", async () => {
  const refused: readonly (readonly [parameters: string, expected: RegExp])[] = [
    ["heartbeatIntervalMs: 20000", /at most a third of sessionTimeoutMs/],
    ["groupRemoteAssignor: uniform", /needs groupProtocol: consumer/],
    ["partitionAssignor: org.apache.kafka.clients.consumer.StickyAssignor", /RangeAssignor/],
    ["valueDeserializer: com.acme.Mine", /'com\.acme\.Mine' is a class of the JVM/],
    ["topicIsPattern: true, topic: 'a('", /a\(|pattern|paren/],
    ["consumersCount: 0", /above 0/],
    ["consumersCount: 101", /at most 100/],
    ["pollOnError: STOP", /ERROR_HANDLER/],
    ["offsetRepository: '#x'", /give it a groupId/],
  ];
  for (const [parameters, expected] of refused) {
    const yaml = parameters.includes("topic:")
      ? route(`uri: kafka, parameters: { ${parameters} }`)
      : consumer(parameters);
    assert.match((await errorsOf(yaml)).join(), expected, parameters);
  }
  assert.match((await errorsOf(route('uri: "kafka:a b"'))).join(), /'a b' is no name of a topic/);
  assert.match((await errorsOf(producer("partitionKey: -1"))).join(), /from 0 on/);
  assert.match((await errorsOf(producer("valueSerializer: x"))).join(), /'x' is a class of the JVM/);
});

test("the kamelets are checked, and say why a key store is refused", async () => {
  const kamelet = (name: string, more: string): string =>
    route(`uri: "kamelet:${name}", parameters: { topic: orders, bootstrapServers: "a:9092", ${more} }`);
  for (const name of [
    "kafka-source",
    "kafka-batch-source",
    "kafka-not-secured-source",
    "kafka-batch-not-secured-source",
  ])
    assert.deepEqual(await errorsOf(kamelet(name, "consumerGroup: g, deserializeHeaders: true")), [], name);
  assert.deepEqual(await errorsOf(kamelet("kafka-scram-source", "user: u, password: p")), []);
  assert.match((await errorsOf(kamelet("kafka-source", "sslTruststoreLocation: x"))).join(), /certRef and keyRef/);
  const sinks = [
    "kafka-sink",
    "kafka-not-secured-sink",
    "kafka-manual-commit-action",
    "kafka-batch-manual-commit-action",
  ];
  for (const name of sinks) {
    const parameters = name.includes("sink") ? ", parameters: { topic: orders, bootstrapServers: 'a:9092' }" : "";
    assert.deepEqual(
      await errorsOf(route("uri: direct:x", `[{ to: { uri: "kamelet:${name}"${parameters} } }]`)),
      [],
      name,
    );
  }
});
