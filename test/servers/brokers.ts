/**
 * A connector of each protocol that delivers messages, for tests that send from one to the next. No two have a connection or a secret of the
 * same name, but for those that are wrong.
 */
import { amqpConnectors } from "./amqp/amqp-connector.ts";
import { ftpConnectors } from "./ftp/ftp-connector.ts";
import { kafkaConnectors } from "./kafka/kafka-connector.ts";
import { mqttConnectors } from "./mqtt/mqtt-connector.ts";
import { rabbitConnectors } from "./rabbitmq/rabbit-connector.ts";
import { sftpConnectors } from "./sftp/sftp-connector.ts";
import type { Connector } from "./suite/connector.ts";

export const brokers: readonly Connector[] = [
  kafkaConnectors(),
  // A classic queue forgets at a crash of its server that messages were acknowledged, a quorum queue does not.
  rabbitConnectors.slice(1),
  amqpConnectors,
  mqttConnectors,
  sftpConnectors,
  ftpConnectors,
].flatMap(([first]) => first ?? []);
