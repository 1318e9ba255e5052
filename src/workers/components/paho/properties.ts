/** The properties of a message of MQTT 5, as the header CamelPahoMqtt5MsgProperties has them: a map with Paho's names. */
import type { MqttProperties } from "../../connectors/mqtt/client.ts";
import { asText, asValue, convertTo, isPlainObject } from "../../engine/convert.ts";
import { FlowException } from "../../engine/exception.ts";
import { elementsOf } from "../../engine/json-node.ts";
import { traceparentName } from "../../engine/trace-context.ts";

/** Properties of a message in the words of Paho's class MqttProperties, as the flow sees them. */
export function propertiesOf(properties: MqttProperties = {}): Readonly<Record<string, unknown>> {
  const { payloadFormatIndicator, messageExpiryInterval, contentType, responseTopic } = properties;
  const { correlationData, subscriptionIdentifier, userProperties } = properties;
  const pairs = Object.entries(userProperties ?? {}).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => ({ key, value: one })),
  );
  return {
    ...(payloadFormatIndicator !== undefined && { payloadFormat: payloadFormatIndicator }),
    ...(messageExpiryInterval !== undefined && { messageExpiryInterval }),
    ...(contentType !== undefined && { contentType }),
    ...(responseTopic !== undefined && { responseTopic }),
    ...(correlationData !== undefined && { correlationData: new Uint8Array(correlationData) }),
    ...(subscriptionIdentifier !== undefined && { subscriptionIdentifiers: [subscriptionIdentifier].flat() }),
    ...(pairs.length > 0 && { userProperties: pairs }),
  };
}

const names = "payloadFormat, messageExpiryInterval, contentType, responseTopic, correlationData and userProperties";

/** Reads such a map; what a message that was received has is sent on, but for what belongs to its subscription. Throws FlowException. */
export function readProperties(header: unknown): MqttProperties | undefined {
  const map = asValue(header);
  if (map === null) return undefined;
  const given = map instanceof Map ? Object.fromEntries(map) : map;
  if (!isPlainObject(given)) throw invalid(`it is a map with ${names}`);
  const properties: MqttProperties = {};
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (name === "payloadFormat") properties.payloadFormatIndicator = convertTo(value, "boolean") === true;
    else if (name === "messageExpiryInterval") properties.messageExpiryInterval = secondsOf(value);
    else if (name === "contentType") properties.contentType = asText(value);
    else if (name === "responseTopic") properties.responseTopic = asText(value);
    else if (name === "correlationData") properties.correlationData = bytesOf(value);
    else if (name === "userProperties") properties.userProperties = userPropertiesOf(value);
    else if (name !== "subscriptionIdentifiers") throw invalid(`it has '${name}', and it can have ${names}`);
  }
  return properties;
}

/** A user property of that name goes before. */
export function withTrace(
  properties: MqttProperties | undefined,
  traceparent: string | undefined,
): MqttProperties | undefined {
  if (traceparent === undefined) return properties;
  return { ...properties, userProperties: { [traceparentName]: traceparent, ...properties?.userProperties } };
}

function secondsOf(value: unknown): number {
  const seconds = Number(asText(value));
  if (Number.isInteger(seconds) && seconds >= 0 && seconds < 2 ** 32) return seconds;
  throw invalid(`messageExpiryInterval is '${asText(value).slice(0, 100)}', and a number of seconds is expected`);
}

function bytesOf(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(asText(value));
}

/** A list of maps with key and value, or a map. */
function userPropertiesOf(value: unknown): Record<string, string | string[]> {
  const list = elementsOf(value);
  const pairs: (readonly [string, unknown])[] = [];
  if (list === undefined) {
    if (!isPlainObject(value)) throw invalid("userProperties is a list of maps with key and value, or a map");
    pairs.push(...Object.entries(value));
  } else
    for (const one of list) {
      const pair = asValue(one);
      if (!isPlainObject(pair) || typeof pair["key"] !== "string")
        throw invalid("an element of userProperties is a map with key and value");
      pairs.push([pair["key"], pair["value"]]);
    }
  const properties: Record<string, string | string[]> = Object.create(null);
  for (const [key, one] of pairs) {
    const text = asText(one);
    const present = properties[key];
    properties[key] = present === undefined ? text : [present, text].flat();
  }
  return properties;
}

function invalid(why: string): FlowException {
  return new FlowException("java.lang.IllegalArgumentException", `the header CamelPahoMqtt5MsgProperties: ${why}`);
}
