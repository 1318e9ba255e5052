/** Kamelets that send to a queue or a topic of a broker, or consume one. */
import { type KameletDefinition, needed, text, type WordedProperty } from "./definition.ts";

interface Kind {
  /** In the kamelets' names. */
  readonly name: string;
  readonly title: string;
  readonly scheme: string;
  /** The property that has the broker's URL. */
  readonly url: "brokerURL" | "remoteURI";
  /** The default of `username` and `password`; undefined: they are no properties in Camel. */
  readonly login?: string;
  /** Properties of a pool of sessions. */
  readonly pooled?: true;
}

const kinds: readonly Kind[] = [
  { name: "jms-apache-artemis", title: "Apache ActiveMQ Artemis", scheme: "jms", url: "brokerURL" },
  {
    name: "jms-pooled-apache-artemis",
    title: "Apache ActiveMQ Artemis",
    scheme: "jms",
    url: "brokerURL",
    pooled: true,
  },
  { name: "jms-apache-activemq", title: "Apache ActiveMQ", scheme: "activemq", url: "brokerURL", login: "admin" },
  { name: "jms-amqp-10", title: "AMQP 1.0", scheme: "amqp", url: "remoteURI" },
];

const noPool = "sessions are not pooled here: one connection carries the messages of many runs";

function pool(words: string, value: string): WordedProperty {
  return { type: "integer", default: value, idle: noPool, words };
}

function propertiesOf({ url, login, pooled }: Kind): Readonly<Record<string, WordedProperty>> {
  const byDefault = login === undefined ? {} : { default: login };
  return {
    destinationType: {
      ...{ type: "string", default: "queue", enum: ["queue", "topic"] },
      words: "Whether `destinationName` names a queue or a topic.",
    },
    destinationName: needed("The name of the queue or the topic."),
    [url]: needed("The broker's address, such as `amqp://mq.example.org:5672`; an EGRESS_ALLOW rule must name it."),
    username: { ...text("The user at the broker; without one the client is anonymous."), ...byDefault },
    password: { ...text("The password of the user. Write a secret: `{{secret:NAME}}`."), ...byDefault },
    ...(pooled === true && {
      maxSessionsPerConnection: pool("The most sessions of a connection.", "500"),
      maxIdleSessionsPerConnection: pool("The most sessions that nobody uses.", "500"),
      connectionIdleTimeout: pool("After how many milliseconds without use a connection is closed.", "30000"),
    }),
  };
}

function endpoint({ scheme, url }: Kind, indent: string): string {
  return `
uri: "${scheme}:{{destinationType}}:{{destinationName}}"
parameters:
  brokerURL: "{{${url}}}"
  username: "{{?username}}"
  password: "{{?password}}"`.replaceAll("\n", `\n${indent}`);
}

function sink(kind: Kind): KameletDefinition {
  return {
    name: `${kind.name}-sink`,
    docs: `Sends each message to a queue or a topic of ${kind.title}, over AMQP.`,
    properties: propertiesOf(kind),
    template: `from:
  uri: kamelet:source
  steps:
    - to:${endpoint(kind, "        ")}`,
  };
}

function source(kind: Kind): KameletDefinition {
  return {
    name: `${kind.name}-source`,
    docs: `Consumes a queue or a topic of ${kind.title}, over AMQP.`,
    properties: propertiesOf(kind),
    template: `from:${endpoint(kind, "  ")}
  steps:
    - to: kamelet:sink`,
  };
}

export const jmsKamelets: readonly KameletDefinition[] = kinds.flatMap((kind) => [sink(kind), source(kind)]);
