import type { ConnectionKind } from "./kind.ts";

const tls = 'write "tls": {}, with "ca" for an authority of your own; without tls the connection is not encrypted';
const ofEndpoint = "it belongs to one endpoint: write it there";

export const mqtt: ConnectionKind = {
  name: "mqtt",
  title: "MQTT",
  docs: "An MQTT broker, such as Mosquitto, EMQX or HiveMQ: version 5 for `paho-mqtt5:`, version 3.1.1 for `paho:`.",
  port: 1883,
  tlsPort: 8883,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    clientIdPrefix: {
      type: "text",
      default: "bulkhead",
      words:
        "What client ids begin with where an endpoint writes none. Runtimes that share a broker, and have flows of the same name, need different ones.",
    },
    keepAlive: {
      type: "whole",
      default: 15,
      least: 1,
      most: 65_535,
      words:
        "Seconds without a message after which the broker is asked whether it is there; an endpoint's keepAliveInterval comes first.",
    },
  },
  refused: {
    ssl: tls,
    rejectUnauthorized: tls,
    protocol: tls,
    clientId: `${ofEndpoint} as clientId, or clientIdPrefix here`,
    clean: `${ofEndpoint} as cleanStart`,
    cleanSession: `${ofEndpoint} as cleanSession`,
    will: `${ofEndpoint} as willTopic and willPayload`,
    reconnectPeriod: "lost connections come back by themselves, after pauses that grow: leave it out",
    protocolVersion: "paho-mqtt5: speaks MQTT 5, and paho: MQTT 3.1.1: leave it out",
    path: "MQTT over WebSocket is not spoken: write the broker's port for MQTT, which is 1883 or 8883",
  },
  maxConnections: 50,
  example:
    '{"kind": "mqtt", "servers": ["broker.example.org:8883"], "username": "orders", "passwordRef": "ORDERS_BROKER", "tls": {}}',
};
