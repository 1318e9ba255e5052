/** Components for RabbitMQ: `spring-rabbitmq` (Camel: SpringRabbitMQEndpoint 4.22), and `rabbitmq` of Camel 3, whose options are made those of the other. */
import { defineComponent, type ProducerContext } from "../engine/component.ts";
import { LateModule } from "../engine/late-module.ts";
import type { Processor } from "../engine/processor.ts";
import type { Source, SourceContext } from "../engine/source.ts";
import { type OldOptions, ofCamel3, oldEnds, oldOptions, type RabbitOptions } from "./rabbitmq/old-options.ts";
import { type SpringOptions, springEnds, springOptions } from "./rabbitmq/spring-options.ts";

const springs = new LateModule(() => import("./rabbitmq/spring.ts"));

/** What both components have in common. `read`: the options of the component, as both have them. */
function rabbitParts<Options>(read: (options: Options) => RabbitOptions) {
  return {
    path: "exchangeName",
    prefixed: { "arg.": "args" },
    exclusive: true,
    once: false,
    network: springs,
    awaitsReply: (options: Options): boolean => {
      const { exchangePattern, disableReplyTo } = read(options);
      return exchangePattern === undefined && !disableReplyTo;
    },
    source: (options: Options, context: SourceContext): Source =>
      springs.module().rabbitmqSource(read(options), context),
    effect: "writes",
    producer: (options: Options, context: ProducerContext): Processor =>
      springs.module().rabbitmqProducer(read(options), context),
  } as const;
}

export const springRabbitmq = defineComponent({
  scheme: "spring-rabbitmq",
  docs: "Sends messages to exchanges of RabbitMQ, and consumes its queues.",
  options: springOptions,
  ends: springEnds,
  secrets: { host: "text", virtualHost: "text", username: "text", password: "text" },
  connects: { kinds: ["rabbitmq"], option: "connectionFactory", unless: ["host"] },
  example: `to:
  uri: spring-rabbitmq:orders
  parameters: { connectionFactory: "#shop", routingKey: order.new, exchangePattern: InOnly }`,
  ...rabbitParts((options: SpringOptions) => options),
});

export const rabbitmq = defineComponent({
  scheme: "rabbitmq",
  docs: "As `spring-rabbitmq`, with the options and the headers of Camel 3. New flows use spring-rabbitmq.",
  options: oldOptions,
  ends: oldEnds,
  secrets: { addresses: "text", hostname: "text", vhost: "text", username: "text", password: "text" },
  connects: { kinds: ["rabbitmq"], option: "connectionFactory", unless: ["addresses", "hostname"] },
  example: `to:
  uri: rabbitmq:orders
  parameters: { connectionFactory: "#shop", routingKey: order.new, declare: false }`,
  ...rabbitParts((options: OldOptions) => ofCamel3(options)),
});
