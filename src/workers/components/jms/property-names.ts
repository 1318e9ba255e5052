/** Which headers are properties of messages, and under which names (Camel: JmsHeaderFilterStrategy, DefaultJmsKeyFormatStrategy). */

/** Headers that direct Camel's components never leave the runtime, and are never taken from outside. */
export function isCamelHeader(name: string): boolean {
  return /^(?:camel|org\.apache\.camel)/i.test(name);
}

/** Properties that brokers set. */
const ofBrokers = new Set(
  "JMSXUserID JMSXAppID JMSXDeliveryCount JMSXProducerTXID JMSXConsumerTXID JMSXRcvTimestamp JMSXRecvTimestamp JMSXState".split(
    " ",
  ),
);

/** Headers that are fields of the message, and no properties. */
const fields = new Set(
  (
    "JMSCorrelationID JMSCorrelationIDAsBytes JMSDeliveryMode JMSDeliveryTime JMSDestination JMSExpiration JMSMessageID JMSPriority " +
    "JMSRedelivered JMSReplyTo JMSTimestamp JMSType JMSXGroupID JMSXGroupSeq"
  ).split(" "),
);

export function isProperty(name: string, includeAllJMSXProperties: boolean): boolean {
  return !isCamelHeader(name) && !fields.has(name) && (includeAllJMSXProperties || !ofBrokers.has(name));
}

export type KeyFormat = "default" | "passthrough";

export function propertyName(header: string, format: KeyFormat): string {
  return format === "passthrough" ? header : header.replaceAll(".", "_DOT_").replaceAll("-", "_HYPHEN_");
}

export function headerName(property: string, format: KeyFormat): string {
  return format === "passthrough" ? property : property.replaceAll("_DOT_", ".").replaceAll("_HYPHEN_", "-");
}
