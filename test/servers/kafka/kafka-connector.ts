/** Kafka in the suite of connectors: a topic that a group consumes, and one that is written. */

import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { KafkaTester } from "./kafka-client.ts";
import { type KafkaServer, startKafka } from "./kafka-server.ts";
import { startSendingAway } from "./sending-away.ts";

export type GroupProtocol = "classic" | "consumer";

/** Partitions of the topic in which messages are under way together. */
const spread = 16;

export function kafkaConnectors(): readonly Connector[] {
  return (["classic", "consumer"] as const).map((protocol) => ({
    name: `Kafka, ${protocol} groups`,
    exactlyOnce: false,
    window: 32,
    isWhole: protocol === "classic",
    answersFor: protocol === "classic" ? ["window"] : [],
    start: async () => rigOf(await startKafka(), protocol),
  }));
}

/** The document of a connection that logs in. */
export function kafkaConnection(port: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const options = { saslMechanism: "SCRAM-SHA-512" };
  return { kind: "kafka", servers: [`127.0.0.1:${port}`], username: "tester", passwordRef: "KAFKA", options, ...more };
}

function rigOf(server: KafkaServer, protocol: GroupProtocol): Rig {
  const { plain, sasl } = server.ports;
  const tester = new KafkaTester(plain);
  // Names of their own, since the broker removes topics and positions of groups some time later.
  let round = 0;
  let isSpread = false;
  const name = (what: string): string => `${what}-${round}`;
  const fromBy = (topic: string, more: string): string =>
    `{ uri: "kafka:${topic}", parameters: { groupId: ${name("group")}, groupProtocol: ${protocol}, autoOffsetReset: earliest, ${more} } }`;
  return {
    secrets: { "_connections/KAFKA": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      const all = { flows: ["*"] };
      await putConnection(app, "kafka", kafkaConnection(sasl, { ...all, default: true }));
      await putConnection(app, "wrong", kafkaConnection(sasl, { ...all, passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", kafkaConnection(sasl, { ...all, servers: ["host.invalid:9092"] }));
      await putConnection(
        app,
        "untrusted",
        kafkaConnection(server.ports.secure, { ...all, servers: [`localhost:${server.ports.secure}`], tls: {} }),
      );
    },
    async reset() {
      round += 1;
      isSpread = false;
      await Promise.all([
        tester.create(name("inbox")),
        tester.create(name("spread"), spread),
        tester.create(name("sink")),
      ]);
    },
    async produce(texts) {
      await Promise.all([
        tester.send(
          name("inbox"),
          texts.map((value) => ({ value })),
        ),
        tester.send(
          name("spread"),
          texts.map((value, at) => ({ value, partition: at % spread })),
        ),
      ]);
    },
    consumed: async () => (await tester.read(name("sink"))).map(({ value }) => String(value)),
    left: () => tester.lag(name(isSpread ? "spread" : "inbox"), name("group")),
    get from() {
      return fromBy(name("inbox"), "brokers: '#kafka'");
    },
    sources(underWay) {
      isSpread = true;
      return [fromBy(name("spread"), `brokers: '#kafka', consumersCount: ${underWay}`)];
    },
    text: "${body}",
    to: (text) =>
      `{ to: { uri: "kafka:${name("sink")}", parameters: { brokers: '#kafka' } } }`.replace(
        "{ to:",
        `{ setBody: { simple: "${text}" } }, { to:`,
      ),
    connection: "kafka",
    get wrong() {
      return [
        ["password", fromBy(name("inbox"), "brokers: '#wrong'"), /SASL authentication failed/],
        ["host", fromBy(name("inbox"), "brokers: '#nowhere'"), /host\.invalid/],
        ["certificate", fromBy(name("inbox"), "brokers: '#untrusted'"), /certificate/],
        ["topic", fromBy("missing", "brokers: '#kafka'"), /missing/],
      ] as const;
    },
    server: {
      elsewhere: (address) => ({ kind: "kafka", servers: [address], flows: ["*"] }),
      fromElsewhere: (connection) => fromBy(name("inbox"), `brokers: '#${connection}'`),
      sendsAway: startSendingAway,
      announced: { port: server.ports.announced, real: { host: "127.0.0.1", port: server.ports.behind } },
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    async close() {
      await tester.close();
      await server.close();
    },
  };
}
