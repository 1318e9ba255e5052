/** The headers of both components for the properties of a message, and what else differs in their messages. */

export interface HeaderNames {
  readonly exchange: string;
  readonly routingKey: string;
  readonly deliveryTag: string;
  readonly redelivered: string;
  readonly deliveryMode: string;
  readonly type: string;
  readonly contentType: string;
  /** Absent: the component has no such header. */
  readonly contentLength?: string;
  readonly contentEncoding: string;
  readonly messageId: string;
  readonly correlationId: string;
  readonly replyTo: string;
  readonly expiration: string;
  readonly timestamp: string;
  /** The same in milliseconds. */
  readonly milliseconds?: string;
  readonly userId: string;
  readonly appId: string;
  readonly priority: string;
  readonly clusterId: string;
  /** Headers that name another target. */
  readonly toExchange: string;
  readonly toRoutingKey: string;
  /** Headers that come before an option. */
  readonly mandatory?: string;
  readonly replyTimeout?: string;
  /** Whether a message whose run has failed goes back to its queue. */
  readonly requeue?: string;
  /** true: a body of text is text, and the delivery mode a word. */
  readonly texts: boolean;
}

const common = (prefix: string) => ({
  exchange: `${prefix}ExchangeName`,
  routingKey: `${prefix}RoutingKey`,
  deliveryTag: `${prefix}DeliveryTag`,
  deliveryMode: `${prefix}DeliveryMode`,
  type: `${prefix}Type`,
  contentType: `${prefix}ContentType`,
  contentEncoding: `${prefix}ContentEncoding`,
  messageId: `${prefix}MessageId`,
  correlationId: `${prefix}CorrelationId`,
  replyTo: `${prefix}ReplyTo`,
  expiration: `${prefix}Expiration`,
  timestamp: `${prefix}Timestamp`,
  userId: `${prefix}UserId`,
  appId: `${prefix}AppId`,
  priority: `${prefix}Priority`,
  clusterId: `${prefix}ClusterId`,
  toExchange: `${prefix}ExchangeOverrideName`,
});

const spring: HeaderNames = {
  ...common("CamelSpringRabbitmq"),
  redelivered: "CamelSpringRabbitmqRedelivered",
  contentLength: "CamelSpringRabbitmqContentLength",
  toRoutingKey: "CamelSpringRabbitmqRoutingOverrideKey",
  texts: true,
};

/** Of Camel 3. */
const rabbitmq: HeaderNames = {
  ...common("CamelRabbitmq"),
  redelivered: "CamelRabbitmqRedeliveryTag",
  milliseconds: "CamelMessageTimestamp",
  toRoutingKey: "CamelRabbitmqRoutingKey",
  mandatory: "CamelRabbitmqMandatory",
  replyTimeout: "CamelRabbitmqRequestTimeout",
  requeue: "CamelRabbitmqRequeue",
  texts: false,
};

/** By the scheme of the component. */
export const headerNames = { "spring-rabbitmq": spring, rabbitmq } as const;
