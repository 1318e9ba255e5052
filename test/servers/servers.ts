/**
 * The servers that tests run against, and which tests need which: `npm run test:servers` installs the servers of the tests
 * that it runs, and leaves out the tests of those that cannot be had, if it may.
 */
import { installArtemis } from "./amqp/artemis.ts";
import { databases } from "./databases.ts";
import { installVsftpd } from "./ftp/ftp-server.ts";
import { installNginx, installTinyproxy } from "./http/web-servers.ts";
import { installKafka } from "./kafka/kafka-server.ts";
import { installMosquitto } from "./mqtt/mosquitto.ts";
import { installRabbit } from "./rabbitmq/rabbitmq-server.ts";
import { installSshd } from "./sftp/sftp-server.ts";
import { installShell } from "./shells/shells.ts";
import type { Connector } from "./suite/connector.ts";

export interface TestServer {
  readonly name: string;
  /** Folders and files of test/servers whose tests need it. The suite of a server belongs to the first folder. */
  readonly usedBy: readonly string[];
  /** Installs what is missing. Throws Unavailable. */
  readonly install: () => unknown;
  /** The connectors with which it passes the suite, of which the smoke tries the first one; absent: it has no suite. */
  readonly connectors?: () => Promise<readonly Connector[]>;
}

/** Connectors are loaded when the suite of their server runs: each process loads the clients of one server. */
export const servers: readonly TestServer[] = [
  ...databases.map((database) => ({
    name: database.name,
    usedBy: ["sql/", "servers.servers.ts"],
    install: database.install,
    connectors: async () => (await import("./sql/sql-connector.ts")).sqlConnectors(database),
  })),
  {
    name: "Embedded",
    usedBy: ["sql/"],
    // The runtime brings it.
    install() {},
    connectors: async () => (await import("./embedded/embedded-connector.ts")).embeddedConnectors,
  },
  {
    name: "Kafka",
    usedBy: ["kafka/"],
    install: installKafka,
    connectors: async () => (await import("./kafka/kafka-connector.ts")).kafkaConnectors(),
  },
  {
    name: "Mosquitto",
    usedBy: ["mqtt/"],
    install: installMosquitto,
    connectors: async () => (await import("./mqtt/mqtt-connector.ts")).mqttConnectors,
  },
  {
    name: "RabbitMQ",
    usedBy: ["rabbitmq/"],
    install: installRabbit,
    connectors: async () => (await import("./rabbitmq/rabbit-connector.ts")).rabbitConnectors,
  },
  {
    name: "Artemis",
    usedBy: ["amqp/"],
    install: installArtemis,
    connectors: async () => (await import("./amqp/amqp-connector.ts")).amqpConnectors,
  },
  {
    name: "OpenSSH",
    usedBy: ["sftp/"],
    install: installSshd,
    connectors: async () => (await import("./sftp/sftp-connector.ts")).sftpConnectors,
  },
  {
    name: "vsftpd",
    usedBy: ["ftp/"],
    install: installVsftpd,
    connectors: async () => (await import("./ftp/ftp-connector.ts")).ftpConnectors,
  },
  { name: "nginx", usedBy: ["http/"], install: () => installNginx() },
  { name: "tinyproxy", usedBy: ["http/"], install: () => installTinyproxy() },
  { name: "zsh", usedBy: ["shells/"], install: () => installShell("zsh") },
  { name: "fish", usedBy: ["shells/"], install: () => installShell("fish") },
];
