import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const login = "write username, passwordRef and the option saslMechanism";
const ofEndpoint = "it is an option of the endpoint: write it in the flow";
const noRegistry = "there is no client of a schema registry: leave it out, and read the bytes with unmarshal";

export const kafka: ConnectionKind = {
  name: "kafka",
  title: "Apache Kafka",
  docs: "A Kafka cluster, or a service that speaks its protocol. `servers` are some of its brokers; the others are found there.",
  port: 9092,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    saslMechanism: {
      type: "text",
      default: "PLAIN",
      values: ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"],
      words:
        "How it logs in, when the document has `passwordRef`. With `OAUTHBEARER` the secret is the token; PLAIN and OAUTHBEARER send it as it is, so write `tls`, too.",
    },
    clientId: {
      type: "text",
      default: "bulkhead",
      words: "The name that brokers show in their logs and count quotas by.",
    },
    clientRack: {
      type: "text",
      words: "The rack or zone of the runtime: consumers then read from a replica of the same one.",
    },
    metadataMaxAgeMs: {
      type: "whole",
      default: 300_000,
      least: 1000,
      most: 86_400_000,
      words: "After how many milliseconds brokers, topics and partitions are asked for again.",
    },
    requestTimeoutMs: {
      type: "whole",
      default: 30_000,
      least: 1000,
      most: 600_000,
      words:
        "How many milliseconds a broker has for an answer. Then the connection is given up, and another one opened.",
    },
  },
  refused: {
    brokers: "write servers",
    "bootstrap.servers": "write servers",
    ssl: tls,
    securityProtocol: tls,
    "security.protocol": tls,
    sslEndpointAlgorithm: tls,
    "ssl.endpoint.identification.algorithm": tls,
    sasl: login,
    saslJaasConfig: login,
    "sasl.jaas.config": login,
    "sasl.mechanism": "write saslMechanism",
    "client.id": "write clientId",
    groupId: ofEndpoint,
    "group.id": ofEndpoint,
    topic: ofEndpoint,
    schemaRegistryURL: noRegistry,
    "schema.registry.url": noRegistry,
  },
  maxConnections: 100,
  example:
    '{"kind": "kafka", "servers": ["kafka1.example.org:9093", "kafka2.example.org:9093"], "alsoServers": ["*.example.org:9093"], "username": "orders", "passwordRef": "ORDERS_KAFKA", "tls": {}, "options": {"saslMechanism": "SCRAM-SHA-512"}}',
};
