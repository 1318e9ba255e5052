/** A connector of each broker, for tests that send from one to the next. */
import { rabbitConnectors } from "./rabbitmq/rabbit-connector.ts";
import type { Connector } from "./suite/connector.ts";

export const brokers: readonly Connector[] = [rabbitConnectors].flatMap(([first]) => first ?? []);
