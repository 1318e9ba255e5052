/** The `kafka` component (Camel: KafkaEndpoint 4.22): records of topics as messages, and messages as records. */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { kafkaSecrets } from "./kafka/connection.ts";
import { kafkaEnds, kafkaOptions } from "./kafka/options.ts";

const sources = new LateModule(() => import("./kafka/source.ts"));
const producers = new LateModule(() => import("./kafka/producer.ts"));

export const kafka = defineComponent({
  scheme: "kafka",
  docs: "Takes records from topics of Kafka, one run at a time for each partition, or sends messages to a topic.",
  path: "topic",
  options: kafkaOptions,
  connects: { kinds: ["kafka"], option: "brokers", unless: [], marked: true },
  ends: kafkaEnds,
  prefixed: { "additionalProperties.": "additionalProperties" },
  exclusive: true,
  once: false,
  peeks: true,
  secrets: kafkaSecrets,
  network: producers,
  example: `from:
  uri: kafka:orders
  parameters: { brokers: "#shop", groupId: billing, autoOffsetReset: earliest }
  steps:
    - log:
        message: "order \${header.CamelKafkaOffset}: \${body}"`,
  source: (options, context) => sources.module().kafkaSource(options, context),
  effect: "writes",
  producer: (options, context) => producers.module().kafkaProducer(options, context),
});
