/** The headers of both components for the properties of a message. */

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

export const springNames: HeaderNames = {
  ...common("CamelSpringRabbitmq"),
  redelivered: "CamelSpringRabbitmqRedelivered",
  contentLength: "CamelSpringRabbitmqContentLength",
  toRoutingKey: "CamelSpringRabbitmqRoutingOverrideKey",
};

/** Of the component `rabbitmq` of Camel 3. */
export const oldNames: HeaderNames = {
  ...common("CamelRabbitmq"),
  redelivered: "CamelRabbitmqRedeliveryTag",
  milliseconds: "CamelMessageTimestamp",
  toRoutingKey: "CamelRabbitmqRoutingKey",
};
