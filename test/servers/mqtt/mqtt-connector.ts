/** MQTT in the suite of connectors: a topic that is consumed with a session that is kept, and one that is written. */
import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { type Broker, startMosquitto } from "./mosquitto.ts";
import { startMovedBroker } from "./moved-broker.ts";
import { connectionTo } from "./mqtt-app.ts";
import { listen, prepareSession, publish } from "./test-client.ts";

interface Ends {
  readonly name: string;
  readonly scheme: "paho-mqtt5" | "paho";
  readonly qos: 1 | 2;
  /** true: messages that are under way together are in one route. */
  readonly concurrent: boolean;
}

/** Topics of the inbox: as many routes can have a message under way. */
const topics = 16;

const ends: readonly Ends[] = [
  { name: "MQTT 5, QoS 1", scheme: "paho-mqtt5", qos: 1, concurrent: true },
  { name: "MQTT 5, QoS 2", scheme: "paho-mqtt5", qos: 2, concurrent: false },
  { name: "MQTT 3.1.1, QoS 1", scheme: "paho", qos: 1, concurrent: false },
];

export const mqttConnectors: readonly Connector[] = ends.map((one, at) => ({
  name: one.name,
  exactlyOnce: false,
  window: 32,
  isWhole: at === 0,
  answersFor: at === 0 ? ["window"] : [],
  start: async () => rigOf(await startMosquitto(), one),
}));

async function rigOf(broker: Broker, { scheme, qos, concurrent }: Ends): Promise<Rig> {
  const version = scheme === "paho" ? 4 : 5;
  const { heard, client } = await listen(broker, "sink");
  let produced: string[] = [];
  let sent = 0;
  const kept = `${scheme === "paho" ? "cleanSession" : "cleanStart"}: false`;
  const from = (topic: string, clientId: string, more = ""): string =>
    `{ uri: "${scheme}:${topic}", parameters: { ${more} qos: ${qos}, ${kept}, clientId: ${clientId} } }`;
  const by = (connection: string): string => from("inbox/+", `wrong-${connection}`, `client: "#${connection}",`);
  return {
    secrets: { "_connections/BROKER": broker.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      await putConnection(app, "broker", connectionTo(broker, { default: true }));
      await putConnection(app, "wrong", connectionTo(broker, { passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(broker, { servers: ["host.invalid:1883"] }));
      await putConnection(
        app,
        "untrusted",
        connectionTo(broker, { servers: [`127.0.0.1:${broker.tlsPort}`], tls: {} }),
      );
    },
    async reset() {
      await prepareSession(broker, "suite", "inbox/+", qos, version);
      for (let at = 0; at < topics; at++) await prepareSession(broker, `suite-${at}`, `inbox/${at}`, qos, version);
      produced = [];
      heard.length = 0;
    },
    async produce(texts) {
      const messages = texts.map((text) => [`inbox/${sent++ % topics}`, text] as const);
      await publish(broker, messages, { qos });
      produced.push(...texts);
    },
    consumed: async () => heard.map(({ text }) => text),
    // A broker does not say how many messages it has for a client.
    left: async () => {
      const arrived = new Set(heard.map(({ text }) => text));
      return produced.filter((text) => !arrived.has(text)).length;
    },
    from: from("inbox/+", "suite"),
    sources: (underWay) =>
      concurrent
        ? [from("inbox/+", "suite", `concurrentConsumers: ${underWay},`)]
        : Array.from({ length: underWay }, (_, at) => from(`inbox/${at}`, `suite-${at}`)),
    text: "${body}",
    to: (text) => `{ setBody: { simple: "${text}" } }, { to: "${scheme}:sink?qos=${qos}" }`,
    connection: "broker",
    wrong: [
      ["password", by("wrong"), /Not authorized|Bad User Name/i],
      ["host", by("nowhere"), /host\.invalid/],
      ["certificate", by("untrusted"), /certificate/],
      // The broker ends the connection of who subscribes to more levels.
      ["topic", from("a/".repeat(250), "wrong-topic"), /broker/],
    ],
    server: {
      elsewhere: (address) => connectionTo(broker, { servers: [address] }),
      fromElsewhere: (connection) => from("inbox/+", "elsewhere", `client: "#${connection}",`),
      sendsAway: startMovedBroker,
      // Mosquitto writes what it has when it ends, and else every 30 minutes.
      losesAtCrash: true,
      stop: (signal) => broker.process.stop(signal),
      restart: () => broker.process.start(),
    },
    async close() {
      client.end(true);
      await broker.close();
    },
  };
}
