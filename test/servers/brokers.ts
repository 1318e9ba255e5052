/** A connector of each broker, for tests that send from one to the next. RabbitMQ and Artemis have connections of the same name, and are not neighbours. */
import { amqpConnectors } from "./amqp/amqp-connector.ts";
import { kafkaConnectors } from "./kafka/kafka-connector.ts";
import { rabbitConnectors } from "./rabbitmq/rabbit-connector.ts";
import type { Connector } from "./suite/connector.ts";

const kafka = kafkaConnectors();

export const brokers: readonly Connector[] = [kafka, rabbitConnectors, kafka, amqpConnectors].flatMap(
  ([first]) => first ?? [],
);
