/** Headers under names of older versions of Camel: a step that sets one is warned of, with the name of today. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { todaysHeader } from "../../../src/workers/check/old-headers.ts";
import { warningsOf } from "./real-catalog.ts";

test("old names of Kafka's headers have their names of today, in any case", () => {
  assert.equal(todaysHeader("kafka.KEY"), "CamelKafkaKey");
  assert.equal(todaysHeader("Kafka.Partition_Key"), "CamelKafkaPartitionKey");
  assert.equal(todaysHeader("kafka.OVERRIDE_TOPIC"), "CamelKafkaOverrideTopic");
  assert.equal(todaysHeader("kafka.mine"), undefined);
  assert.equal(todaysHeader("CamelKafkaKey"), undefined);
});

test("old names of RabbitMQ's headers, too", () => {
  assert.equal(todaysHeader("rabbitmq.ROUTING_KEY"), "CamelRabbitmqRoutingKey");
  assert.equal(todaysHeader("rabbitmq.CORRELATIONID"), "CamelRabbitmqCorrelationId");
  assert.equal(todaysHeader("rabbitmq.MESSAGE_ID"), "CamelRabbitmqMessageId");
});

test("a step that sets one is warned of, and one that reads it is not", async () => {
  const yaml = `- route:
    id: main
    from:
      uri: direct:start
      steps:
        - setHeader: { name: kafka.KEY, constant: a }
        - setHeaders:
            headers:
              - { name: mine, constant: a }
              - { name: kafka.OVERRIDE_TOPIC, constant: a }
        - log: "\${header[kafka.TOPIC]}"
`;
  const warnings = (await warningsOf(yaml)).filter((warning) => warning.includes("old_header"));
  assert.equal(warnings.length, 2);
  assert.match(warnings[0] ?? "", /^6:\d+ .*'kafka\.KEY' has no effect: its name is CamelKafkaKey today/);
  assert.match(warnings[1] ?? "", /^10:\d+ .*CamelKafkaOverrideTopic/);
});
