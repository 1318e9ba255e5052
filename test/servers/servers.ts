/**
 * The servers that tests run against: `npm run test:servers` starts each once before its tests, and leaves out the tests of those that cannot
 * be had, if it may.
 */
import { startArtemis } from "./amqp/artemis.ts";
import { databases } from "./databases.ts";
import { startFtpServer } from "./ftp/ftp-server.ts";
import { startKafka } from "./kafka/kafka-server.ts";
import { startMosquitto } from "./mqtt/mosquitto.ts";
import { startRabbitServer } from "./rabbitmq/rabbitmq-server.ts";
import { startSftpServer } from "./sftp/sftp-server.ts";
import { installShell } from "./shells/shells.ts";

export interface TestServer {
  readonly name: string;
  /** Folders and files of test/servers whose tests need it. */
  readonly usedBy: readonly string[];
  /** Throws Unavailable. */
  readonly start: () => Promise<{ close(): Promise<void> }>;
}

/** A server joins with a line here; its tests have `skip: missing(<name>)`. */
export const servers: readonly TestServer[] = [
  ...databases.map(({ name, start }) => ({ name, start, usedBy: ["sql/", "servers.servers.ts"] })),
  { name: "Kafka", start: startKafka, usedBy: ["kafka/"] },
  { name: "Mosquitto", start: startMosquitto, usedBy: ["mqtt/"] },
  { name: "RabbitMQ", start: startRabbitServer, usedBy: ["rabbitmq/"] },
  { name: "Artemis", usedBy: ["amqp/"], start: startArtemis },
  { name: "OpenSSH", start: startSftpServer, usedBy: ["sftp/"] },
  { name: "vsftpd", start: startFtpServer, usedBy: ["ftp/"] },
  { name: "zsh", start: () => installShell("zsh"), usedBy: ["shells/"] },
  { name: "fish", start: () => installShell("fish"), usedBy: ["shells/"] },
];
