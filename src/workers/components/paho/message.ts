/** What the route gets of a message that a broker has sent. */

import type { Limits } from "../../../shared/limits.ts";
import { traceparentIn } from "../../../shared/trace-context.ts";
import type { MqttMessage } from "../../connectors/mqtt/receiving.ts";
import { limitExceeded } from "../../engine/exception.ts";
import type { NewMessage } from "../../engine/source.ts";
import { traceparentName } from "../../engine/trace-context.ts";
import { weightOf } from "../../engine/weight.ts";
import { propertiesOf } from "./properties.ts";

/** `version`: of the protocol; 5 has properties. What is too large becomes a message that cannot be read. */
export function newMessage(
  { topic, payload, qos, properties, cutBytes = payload.length }: MqttMessage,
  version: 4 | 5,
  limits: Limits,
): NewMessage {
  const { messageBodyBytes, headerBytes } = limits;
  const headers: (readonly [string, unknown])[] = [
    ["CamelMqttTopic", topic],
    ["CamelMqttQoS", qos],
  ];
  if (version === 5) headers.push(["CamelPahoMqtt5MsgProperties", propertiesOf(properties)]);
  if (weightOf(headers, headerBytes) > headerBytes / 2)
    return unreadable(
      limitExceeded("headerBytes", `the properties of a message have at most ${headerBytes / 2} bytes`),
    );
  if (cutBytes > messageBodyBytes) {
    const why = `a message's body has at most ${messageBodyBytes} bytes, and this one has ${cutBytes}. Raise the limit, and have it sent again`;
    return { ...unreadable(limitExceeded("messageBodyBytes", why)), headers };
  }
  return {
    body: payload,
    headers,
    traceparent: traceparentIn([properties?.userProperties?.[traceparentName]].flat().at(-1)),
  };
}

function unreadable(error: Error): NewMessage {
  return { body: null, unreadable: { error } };
}
