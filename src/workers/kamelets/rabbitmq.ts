/** Kamelets that consume queues of RabbitMQ or send to its exchanges. */
import { type KameletDefinition, needed, text, type WordedProperty } from "./definition.ts";

const login: Readonly<Record<string, WordedProperty>> = {
  username: text("The user at the server; `guest` by default."),
  password: text("The password of the user. Write a secret: `{{secret:NAME}}`."),
  vhost: { ...text("The virtual host."), default: "/" },
};

const server: Readonly<Record<string, WordedProperty>> = {
  host: needed("The host of the server; an EGRESS_ALLOW rule must name it with its port."),
  port: { type: "integer", required: true, words: "The port at which the server takes connections, such as 5672." },
  ...login,
  protocol: {
    ...text("`amqps` encrypts the connection, and checks the server's certificate."),
    enum: ["amqp", "amqps"],
    default: "amqp",
  },
  exchangeName: needed("The exchange that messages are sent to, or that the queue is bound to."),
  routingKey: text("The routing key of messages that are sent, and of the binding of queues."),
};

const endpoint = (more: string, indent: string): string =>
  `
uri: spring-rabbitmq
parameters:
  exchangeName: "{{exchangeName}}"
  host: "{{host}}"
  port: "{{port}}"
  protocol: "{{protocol}}"
  virtualHost: "{{vhost}}"
  username: "{{?username}}"
  password: "{{?password}}"
  routingKey: "{{?routingKey}}"
  queues: "{{?queues}}"
  ${more}`.replaceAll("\n", `\n${indent}`);

export const rabbitKamelets: readonly KameletDefinition[] = [
  {
    name: "spring-rabbitmq-source",
    docs: "Consumes queues of RabbitMQ.",
    properties: {
      ...server,
      queues: text("The queues that are consumed, with commas."),
      autoDeclare: {
        type: "boolean",
        default: "false",
        words: "Declares the exchange, the queues and their bindings.",
      },
    },
    template: `from:${endpoint('autoDeclare: "{{autoDeclare}}"', "  ")}
  steps:
    - to: kamelet:sink`,
  },
  {
    name: "spring-rabbitmq-sink",
    docs: "Sends messages to an exchange of RabbitMQ.",
    properties: {
      ...server,
      queues: text("The queues that are declared and bound with `autoDeclareProducer`, with commas."),
      autoDeclareProducer: {
        type: "boolean",
        default: "false",
        words: "Declares the exchange, and the queues with their bindings.",
      },
    },
    template: `from:
  uri: kamelet:source
  steps:
    - to:${endpoint('autoDeclareProducer: "{{autoDeclareProducer}}"', "        ")}`,
  },
  {
    name: "rabbitmq-source",
    docs: "Consumes a queue of RabbitMQ; a kamelet of older catalogues, which spring-rabbitmq-source replaces.",
    properties: {
      addresses: needed("The servers as `host:port`, with commas; EGRESS_ALLOW rules must name them."),
      ...login,
      exchangeName: needed("The exchange that the queue is bound to."),
      routingKey: text("The routing key of the binding."),
      queue: text("The queue that is consumed; without it one of the consumer's own."),
    },
    template: `from:
  uri: rabbitmq
  parameters:
    exchangeName: "{{exchangeName}}"
    addresses: "{{addresses}}"
    vhost: "{{vhost}}"
    username: "{{?username}}"
    password: "{{?password}}"
    routingKey: "{{?routingKey}}"
    queue: "{{?queue}}"
  steps:
    - to: kamelet:sink`,
  },
];
