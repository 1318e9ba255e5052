/** Components for RabbitMQ: `spring-rabbitmq` (Camel: SpringRabbitMQEndpoint 4.22), and `rabbitmq` of Camel 3 (Camel: RabbitMQEndpoint 3.22). */
import { defineComponent } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import { oldEnds, oldOptions } from "./rabbitmq/old-options.ts";
import { springEnds, springOptions } from "./rabbitmq/spring-options.ts";

const springs = new LateModule(() => import("./rabbitmq/spring.ts"));
const olds = new LateModule(() => import("./rabbitmq/old.ts"));

export const springRabbitmq = defineComponent({
  scheme: "spring-rabbitmq",
  docs: "Sends messages to exchanges of RabbitMQ, and consumes its queues.",
  path: "exchangeName",
  options: springOptions,
  ends: springEnds,
  prefixed: { "arg.": "args" },
  exclusive: true,
  secrets: { host: "text", virtualHost: "text", username: "text", password: "text" },
  network: springs,
  connects: { kinds: ["rabbitmq"], option: "connectionFactory", unless: ["host"] },
  awaitsReply: ({ exchangePattern, disableReplyTo }) => exchangePattern === undefined && !disableReplyTo,
  example: `to:
  uri: spring-rabbitmq:orders
  parameters: { connectionFactory: "#shop", routingKey: order.new, exchangePattern: InOnly }`,
  source: (options, context) => springs.module().springSource(options, context),
  producer: (options, context) => springs.module().springProducer(options, context),
});

export const rabbitmq = defineComponent({
  scheme: "rabbitmq",
  docs: "Sends messages to exchanges of RabbitMQ, and consumes its queues, with the options of Camel 3. New flows use spring-rabbitmq.",
  path: "exchangeName",
  options: oldOptions,
  ends: oldEnds,
  prefixed: { "arg.": "args" },
  exclusive: true,
  secrets: { addresses: "text", hostname: "text", vhost: "text", username: "text", password: "text" },
  network: olds,
  connects: { kinds: ["rabbitmq"], option: "connectionFactory", unless: ["addresses", "hostname"] },
  awaitsReply: ({ exchangePattern }) => exchangePattern === undefined,
  example: `to:
  uri: rabbitmq:orders
  parameters: { connectionFactory: "#shop", routingKey: order.new, declare: false }`,
  source: (options, context) => olds.module().oldSource(options, context),
  producer: (options, context) => olds.module().oldProducer(options, context),
});
