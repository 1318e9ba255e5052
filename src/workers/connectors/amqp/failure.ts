/** Failures of brokers under the class names by which Camel's users know them (Spring: JmsUtils.convertJmsAccessException). */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";

const spring = "org.springframework.jms.";
const jms = "jakarta.jms.";

/** By the condition of AMQP: the class of Spring, and that of its cause. */
const classes: Readonly<Record<string, readonly [spring: string, jms: string]>> = {
  "amqp:not-found": ["InvalidDestinationException", "InvalidDestinationException"],
  "amqp:invalid-field": ["InvalidSelectorException", "InvalidSelectorException"],
  "amqp:unauthorized-access": ["JmsSecurityException", "JMSSecurityException"],
  "amqp:resource-limit-exceeded": ["ResourceAllocationException", "ResourceAllocationException"],
  "amqp:link:message-size-exceeded": ["UncategorizedJmsException", "JMSException"],
  "amqp:transaction:rollback": ["TransactionRolledBackException", "TransactionRolledBackException"],
  "amqp:transaction:timeout": ["TransactionRolledBackException", "TransactionRolledBackException"],
};

export interface BrokerError {
  readonly condition?: string | undefined;
  readonly description?: string | undefined;
}

/** `what`: the beginning of the message, to which the broker's own reason is added. */
export function brokerFailure(what: string, error: BrokerError | undefined): FlowException {
  const { condition, description } = error ?? {};
  const reason = [description, condition === undefined ? undefined : `(${condition})`].filter(Boolean).join(" ");
  return jmsFailure(reason === "" ? what : `${what}: ${reason}`, condition);
}

export function jmsFailure(message: string, condition?: string, cause?: unknown): FlowException {
  const [outer, inner] = classes[condition ?? ""] ?? ["UncategorizedJmsException", "JMSException"];
  const details = { errorCode: condition ?? null };
  return new FlowException(`${spring}${outer}`, message, {
    cause: new FlowException(`${jms}${inner}`, message, { cause, details }),
    details,
  });
}

/** The connection is not open any more, or could not be opened. */
export function connectionFailure(message: string, cause?: unknown): FlowException {
  if (cause instanceof FlowException) return cause;
  const reason = cause === undefined ? "" : `: ${exceptionMessage(cause)}`;
  return jmsFailure(`${message}${reason}`, undefined, cause);
}
