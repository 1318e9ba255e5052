import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const reconnects =
  "the runtime opens lost connections again, with growing pauses (the limit connectionRetryMs): leave it out";
const login = "the login is PLAIN, with username and passwordRef: leave it out";

export const rabbitmq: ConnectionKind = {
  name: "rabbitmq",
  title: "RabbitMQ",
  docs: "A RabbitMQ server or cluster, or a server that speaks AMQP 0-9-1. `database` is the virtual host, `/` by default.",
  port: 5672,
  tlsPort: 5671,
  fields: ["database", "username", "passwordRef", "tls"],
  required: ["username"],
  options: {
    connectionName: {
      type: "text",
      default: "bulkhead",
      words: "The name that the server shows for the connection in its management and in its log.",
    },
    heartbeat: {
      type: "whole",
      default: 10,
      least: 0,
      most: 3600,
      words:
        "Seconds between two heartbeats, unless the server wants less. A connection on which nothing has come for twice as long is lost. 0: the server decides.",
    },
    frameMax: {
      type: "whole",
      default: 65_536,
      least: 4096,
      most: 65_536,
      words:
        "The most bytes of a frame, unless the server wants less. The headers of a message have to fit into one, and a greater one could hold tables that are too deep to be read.",
    },
  },
  refused: {
    vhost: "write database",
    virtualHost: "write database",
    ssl: tls,
    useSsl: tls,
    sslProtocol: tls,
    verifyHostname: tls,
    trustEverything: tls,
    automaticRecoveryEnabled: reconnects,
    topologyRecoveryEnabled: reconnects,
    networkRecoveryInterval: reconnects,
    connectionTimeout: "write the limit outboundConnectMs",
    requestedHeartbeat: "write heartbeat",
    requestedFrameMax: "write frameMax",
    requestedChannelMax: "channels are opened as messages need them: leave it out",
    saslConfig: login,
    saslMechanism: login,
    addresses: "write servers",
  },
  maxConnections: 20,
  example:
    '{"kind": "rabbitmq", "servers": ["mq.example.org:5671"], "database": "shop", "username": "shop", "passwordRef": "SHOP_MQ", "tls": {}}',
};
