/** A connector of each broker, for tests that send from one to the next. */
import { kafkaConnectors } from "./kafka/kafka-connector.ts";
import { rabbitConnectors } from "./rabbitmq/rabbit-connector.ts";
import type { Connector } from "./suite/connector.ts";

export const brokers: readonly Connector[] = [kafkaConnectors(), rabbitConnectors].flatMap(([first]) => first ?? []);
