/** Artemis in the suite of connectors: a queue that is consumed, and one that is written. */
import rhea from "rhea";
import type { ConnectionSettings } from "../../../src/shared/connection.ts";
import { defaultLimits } from "../../../src/shared/limits.ts";
import { driver } from "../../../src/workers/connectors/amqp/driver.ts";
import type { AmqpClient } from "../../../src/workers/connectors/amqp-client.ts";
import { hanging } from "../../support/clock.ts";
import { putConnection } from "../sql/connection-document.ts";
import type { Connector, Rig } from "../suite/connector.ts";
import { type Artemis, startArtemis } from "./artemis.ts";
import { startSendingAway } from "./sending-away.ts";

export const amqpConnectors: readonly Connector[] = [false, true].map((transacted) => ({
  name: `Artemis${transacted ? ", transacted" : ""}`,
  exactlyOnce: transacted,
  window: transacted ? 1 : 32,
  isWhole: !transacted,
  answersFor: transacted ? [] : ["window"],
  start: async () => rigOf(await startArtemis(), transacted),
}));

/** The document of a connection to the broker. */
export function connectionTo(
  { ports, username }: Artemis,
  more: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return { kind: "amqp", servers: [`127.0.0.1:${ports.amqp}`], username, passwordRef: "MQ", ...more };
}

/** A client of the test's own. */
export async function openClient({
  ports,
  username,
  password,
}: Artemis): Promise<AmqpClient & { close(): Promise<void> }> {
  const settings: ConnectionSettings = {
    ...{ name: "test", kind: "amqp", revision: 0, servers: [{ host: "127.0.0.1", port: ports.amqp }], alsoServers: [] },
    ...{ username, password, options: { containerId: "test", idleTimeoutMs: 60_000 }, maxConnections: 1 },
  };
  const client = await driver.open(settings, {
    signal: hanging(60_000),
    limits: defaultLimits,
    session: {},
    lost() {},
    get database(): never {
      throw new Error("there is none");
    },
  });
  return client;
}

function rigOf(server: Artemis, transacted: boolean): Rig {
  const by = (more: string, name = "queue:inbox"): string =>
    `{ uri: "jms:${name}", parameters: { transacted: ${transacted}, ${more} } }`;
  const main = 'connectionFactory: "#mq"';
  let client: (AmqpClient & { close(): Promise<void> }) | undefined;
  let texts: string[] = [];
  return {
    secrets: { "_connections/MQ": server.password, "_connections/WRONG": "not-the-password" },
    async connect(app) {
      const all = { flows: ["*"] };
      await putConnection(app, "mq", connectionTo(server, all));
      await putConnection(app, "wrong", connectionTo(server, { ...all, passwordRef: "WRONG" }));
      await putConnection(app, "nowhere", connectionTo(server, { ...all, servers: ["host.invalid:5672"] }));
      const secure = { servers: [`127.0.0.1:${server.ports.secure}`], tls: {} };
      await putConnection(app, "untrusted", connectionTo(server, { ...all, ...secure }));
    },
    async reset() {
      for (const queue of ["inbox", "sink", "DLQ"]) await server.clear(queue);
      texts = [];
    },
    async produce(more) {
      if (client?.lost.aborted !== false) client = await openClient(server);
      const sender = client;
      const signal = hanging(60_000);
      for (let from = 0; from < more.length; from += 500) {
        const part = more.slice(from, from + 500).map((text) =>
          sender.send(
            { type: "queue", name: "inbox" },
            {
              durable: true,
              properties: { messageId: `ID:${rhea.generate_uuid()}` },
              body: { section: "value", value: text },
            },
            { signal },
          ),
        );
        for (const sent of await Promise.allSettled(part)) if (sent.status === "rejected") throw sent.reason;
      }
    },
    async consumed() {
      texts = [...texts, ...(await server.texts("sink", texts.length))];
      return texts;
    },
    left: () => server.count("inbox"),
    from: by(main),
    sources: (underWay) => [by(`${main}, concurrentConsumers: ${underWay}`)],
    text: "${body}",
    to: (text) =>
      `{ setBody: { simple: "${text}" } }, { to: { uri: "jms:queue:sink", parameters: { ${main}, exchangePattern: InOnly } } }`,
    connection: "mq",
    wrong: [
      ["password", by('connectionFactory: "#wrong"'), /authentication failed/],
      ["host", by('connectionFactory: "#nowhere"'), /host\.invalid/],
      ["certificate", by('connectionFactory: "#untrusted"'), /certificate/],
      ["queue", by(main, "queue:forbidden.orders"), /not authorized.*forbidden\.orders/],
    ],
    server: {
      elsewhere: (address) => connectionTo(server, { flows: ["*"], servers: [address] }),
      fromElsewhere: (connection) => by(`connectionFactory: "#${connection}"`),
      sendsAway: startSendingAway,
      stop: (signal) => server.process.stop(signal),
      restart: () => server.process.start(),
    },
    async close() {
      await client?.close();
      await server.close();
    },
  };
}
