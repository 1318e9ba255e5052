/** The servers of bench/connection-memory, each with the steps that send to it and the sources that read what was sent. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { connectionTo as amqp } from "../../test/servers/amqp/amqp-connector.ts";
import { startArtemis } from "../../test/servers/amqp/artemis.ts";
import type { DatabaseServer } from "../../test/servers/database-server.ts";
import { connectionTo as ftp } from "../../test/servers/ftp/ftp-connector.ts";
import { startFtpServer } from "../../test/servers/ftp/ftp-server.ts";
import { KafkaTester } from "../../test/servers/kafka/kafka-client.ts";
import { kafkaConnection } from "../../test/servers/kafka/kafka-connector.ts";
import { startKafka } from "../../test/servers/kafka/kafka-server.ts";
import { startMariadb } from "../../test/servers/mariadb.ts";
import { startMosquitto } from "../../test/servers/mqtt/mosquitto.ts";
import { connectionTo as mqtt } from "../../test/servers/mqtt/mqtt-app.ts";
import { startPostgres } from "../../test/servers/postgres.ts";
import { connectionTo as rabbit, startBroker } from "../../test/servers/rabbitmq/broker.ts";
import { connectionTo as sftp } from "../../test/servers/sftp/sftp-connector.ts";
import { startSftpServer } from "../../test/servers/sftp/sftp-server.ts";
import { connectionTo as sql } from "../../test/servers/sql/connection-document.ts";
import { startMailServer } from "../../test/support/mail-server.ts";

export interface Protocol {
  readonly name: string;
  start(): Promise<Started>;
}

export interface Started {
  /** The document of the default connection, and its secrets by their names; absent: there is no connection. */
  readonly document?: Readonly<Record<string, unknown>>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Makes a flow's own queue, topic or directory. */
  prepare?(flow: string): Promise<void>;
  /** A step that sends the body. */
  sends(flow: string): string;
  /** A source that reads what `sends` has sent; absent: the protocol only sends. */
  readonly consumes?: (flow: string) => string;
  close(): Promise<void>;
}

function remote(scheme: string): Pick<Started, "sends" | "consumes"> {
  return {
    sends: (flow) => `to: "${scheme}?directoryName=${flow}&fileName=a.txt"`,
    consumes: (flow) => `"${scheme}?directoryName=${flow}&delete=true"`,
  };
}

function database(name: string, start: () => Promise<DatabaseServer>): Protocol {
  return {
    name,
    async start() {
      const server = await start();
      return {
        document: sql(server),
        secrets: { DB: server.password },
        sends: () => `to: "sql:select 1 as one"`,
        close: () => server.close(),
      };
    },
  };
}

export const protocols: readonly Protocol[] = [
  { name: "webhook", start: async () => ({ sends: () => 'log: "${body}"', close: async () => {} }) },
  database("postgres", () => startPostgres({ settings: { shared_buffers: "64MB", max_connections: "60" } })),
  database("mysql", startMariadb),
  {
    name: "kafka",
    async start() {
      const server = await startKafka();
      const tester = new KafkaTester(server.ports.plain);
      return {
        document: kafkaConnection(server.ports.sasl),
        secrets: { KAFKA: server.password },
        prepare: (flow) => tester.create(flow),
        sends: (flow) => `to: "kafka:${flow}"`,
        consumes: (flow) => `"kafka:${flow}?groupId=${flow}&autoOffsetReset=earliest"`,
        async close() {
          await tester.close();
          await server.close();
        },
      };
    },
  },
  {
    name: "jms",
    async start() {
      const server = await startArtemis();
      return {
        document: amqp(server),
        secrets: { MQ: server.password },
        sends: (flow) => `to: "jms:queue:${flow}?exchangePattern=InOnly"`,
        consumes: (flow) => `"jms:queue:${flow}"`,
        close: () => server.close(),
      };
    },
  },
  {
    name: "rabbitmq",
    async start() {
      const broker = await startBroker();
      return {
        document: rabbit(broker),
        secrets: { MQ: broker.server.password },
        prepare: (flow) => broker.declare(flow),
        sends: (flow) => `to: { uri: "spring-rabbitmq:default?routingKey=${flow}", pattern: InOnly }`,
        consumes: (flow) => `"spring-rabbitmq:default?queues=${flow}"`,
        close: () => broker.close(),
      };
    },
  },
  {
    name: "mqtt",
    async start() {
      const broker = await startMosquitto();
      return {
        document: mqtt(broker),
        secrets: { BROKER: broker.password },
        // What is retained is there for a consumer that comes later.
        sends: (flow) => `to: "paho-mqtt5:${flow}?qos=1&retained=true"`,
        consumes: (flow) => `"paho-mqtt5:${flow}?qos=1&cleanStart=false&clientId=${flow}"`,
        close: () => broker.close(),
      };
    },
  },
  {
    name: "sftp",
    async start() {
      const server = await startSftpServer();
      return {
        ...remote("sftp"),
        document: sftp(server),
        secrets: { SFTP: server.privateKey },
        prepare: async (flow) => void (await mkdir(join(server.files, flow))),
        close: () => server.close(),
      };
    },
  },
  {
    name: "ftp",
    async start() {
      const server = await startFtpServer();
      return {
        ...remote("ftp"),
        document: ftp(server),
        secrets: { FTP: server.password },
        prepare: (flow) => server.makeDirectory(flow),
        close: () => server.close(),
      };
    },
  },
  {
    name: "smtp",
    async start() {
      const ends: (() => unknown)[] = [];
      const context = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;
      const { port } = await startMailServer(context);
      return {
        document: { kind: "smtp", servers: [`127.0.0.1:${port}`] },
        sends: () => `to: "smtp?from=a@example.org&to=b@example.org"`,
        async close() {
          for (const end of ends) await end();
        },
      };
    },
  },
];
