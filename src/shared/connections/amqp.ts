import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const several =
  "write all brokers in servers, in the order in which they are tried; pauses between attempts are the runtime's";
const credits = "a consumer asks for as many messages as it can begin: leave it out";

export const amqp: ConnectionKind = {
  name: "amqp",
  title: "AMQP 1.0 broker",
  docs: "A message broker that speaks AMQP 1.0, such as ActiveMQ Artemis, ActiveMQ Classic, Qpid or Azure Service Bus; the JMS components use it.",
  port: 5672,
  tlsPort: 5671,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    containerId: {
      type: "text",
      default: "bulkhead",
      words:
        "How the broker's console names the connections: each open one has this text with a random part behind it. A `clientId` of an endpoint takes its place.",
    },
    virtualHost: {
      type: "text",
      words: "The name of the broker's virtual host, for brokers that have several behind one address.",
    },
    idleTimeoutMs: {
      type: "whole",
      default: 20_000,
      least: 1000,
      most: 3_600_000,
      words: "After how many milliseconds without a word from the broker the connection counts as lost.",
    },
    queuePrefix: {
      type: "text",
      words: "What stands before the names of queues in addresses, for brokers that want it and do not announce it.",
    },
    topicPrefix: {
      type: "text",
      words: "What stands before the names of topics in addresses, such as `topic://` for ActiveMQ Classic.",
    },
  },
  refused: {
    brokerURL: "write host and port, or servers: AMQP's usual port is 5672",
    brokerUrl: "write host and port, or servers: AMQP's usual port is 5672",
    remoteURI: "write host and port, or servers: AMQP's usual port is 5672",
    failover: several,
    clientId: "write clientId at the endpoint whose subscription needs it",
    clientID: "write clientId at the endpoint whose subscription needs it",
    useTopicPrefix: "write topicPrefix",
    prefetch: credits,
    prefetchPolicy: credits,
    ssl: tls,
    useSsl: tls,
    trustAll: tls,
    verifyHost: tls,
    trustStoreLocation: tls,
    keyStoreLocation: 'write "tls" with certRef and keyRef',
  },
  maxConnections: 20,
  example: '{"kind": "amqp", "host": "mq.example.org", "username": "orders", "passwordRef": "ORDERS_MQ", "tls": {}}',
};
