/** The flows of bench/brokers, with topics and queues of their own for each contestant: the same YAML for this runtime and for Camel. */

/** Lines of a record that is split. */
export const partsPerRecord = 10;

/** A record's text is taken apart, and each part is a record of another topic. */
export function splitFlow(name: string): string {
  return `
- route:
    id: split
    from:
      uri: kafka:orders-${name}
      parameters: { groupId: bench-${name}, autoOffsetReset: earliest }
      steps:
        - split:
            tokenize: { token: "," }
            steps:
              - to: kafka:lines-${name}
`;
}

/** Moves messages from queue to queue. */
export function queueFlow(name: string): string {
  return `
- route:
    id: queue
    from:
      uri: jms:queue:in-${name}
      steps:
        - setBody: { simple: "moved \${body}" }
        - to: jms:queue:out-${name}?exchangePattern=InOnly
`;
}

/** Moves messages of a topic, delivered at least once, into a topic of Kafka. */
export function bridgeFlow(name: string): string {
  return `
- route:
    id: bridge
    from:
      uri: paho-mqtt5:plant/${name}
      parameters: { qos: 1 }
      steps:
        - convertBodyTo: { type: String }
        - to: kafka:plant-${name}
`;
}
