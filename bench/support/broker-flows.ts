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

/** Reads each record as JSON, and sends one that has two of its fields. */
export function jsonFlow(name: string): string {
  return `
- route:
    id: json
    from:
      uri: kafka:documents-${name}
      parameters: { groupId: bench-json-${name}, autoOffsetReset: earliest }
      steps:
        - unmarshal: { json: {} }
        - setBody: { simple: '{"id": \${body[id]}, "name": "\${body[name]}"}' }
        - to: kafka:read-${name}
`;
}

/** Writes a row for each record. */
export function rowsFlow(name: string): string {
  return `
- route:
    id: rows
    from:
      uri: kafka:rows-${name}
      parameters: { groupId: bench-rows-${name}, autoOffsetReset: earliest }
      steps:
        - convertBodyTo: { type: String }
        - to: "sql:insert into rows_${name} (text) values (:#\${body})"
`;
}

/** Moves messages from queue to queue of RabbitMQ. */
export function rabbitFlow(name: string): string {
  return `
- route:
    id: rabbit
    from:
      uri: spring-rabbitmq:default
      parameters: { queues: rabbit-in-${name}, autoDeclare: false }
      steps:
        - convertBodyTo: { type: String }
        - to: "spring-rabbitmq:default?routingKey=rabbit-out-${name}"
`;
}
