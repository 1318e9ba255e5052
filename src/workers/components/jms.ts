/** The `jms`, `activemq`, `activemq6` and `amqp` components (Camel: JmsEndpoint 4.22): queues and topics of brokers that speak AMQP 1.0. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { typeOfDestination } from "./jms/destination.ts";
import { type JmsOptions, jmsEnds, jmsOptions } from "./jms/options.ts";

const sources = new LateModule(() => import("./jms/source.ts"));
const producers = new LateModule(() => import("./jms/producer.ts"));

/** Each connection gets every message of its topic, unless the subscription is one for all of them. */
function isAlone({ destinationName, destinationType, subscriptionShared, clientId }: JmsOptions): boolean {
  const isForAll = subscriptionShared && clientId === undefined;
  return typeOfDestination(destinationName, destinationType) === "topic" && !isForAll;
}

const component = (scheme: string, docs: string, example: string) =>
  defineComponent({
    scheme,
    docs,
    path: "destinationName",
    options: jmsOptions,
    connects: { kinds: ["amqp"], option: "connectionFactory", unless: ["brokerURL"] },
    ends: jmsEnds,
    exclusive: true,
    once: { is: isAlone, when: "it consumes a topic, unless clients of any id share the subscription" },
    peeks: true,
    secrets: { brokerURL: "text", username: "text", password: "text" },
    network: producers,
    example,
    awaitsReply: ({ exchangePattern, disableReplyTo }) => exchangePattern === undefined && !disableReplyTo,
    source: (options, context) => sources.module().jmsSource(options, context),
    effect: "writes",
    producer: (options, context) => producers.module().jmsProducer(options, context),
  });

export const jms = component(
  "jms",
  "Sends to queues and topics of a message broker, and consumes them, over AMQP 1.0.",
  `to:
  uri: jms:queue:orders
  parameters: { connectionFactory: "#mq", exchangePattern: InOnly }`,
);

export const activemq = component(
  "activemq",
  "Sends to queues and topics of ActiveMQ, and consumes them, over its AMQP port.",
  `to:
  uri: activemq:queue:orders
  parameters: { connectionFactory: "#mq", exchangePattern: InOnly }`,
);

export const activemq6 = component(
  "activemq6",
  "Sends to queues and topics of ActiveMQ 6, and consumes them, over its AMQP port.",
  `to:
  uri: activemq6:topic:prices
  parameters: { connectionFactory: "#mq", exchangePattern: InOnly }`,
);

export const amqp = component(
  "amqp",
  "Sends to queues and topics of a broker that speaks AMQP 1.0, and consumes them.",
  `to:
  uri: amqp:queue:orders
  parameters: { connectionFactory: "#mq", exchangePattern: InOnly }`,
);
