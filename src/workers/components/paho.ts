/** The components `paho-mqtt5` and `paho` (Camel: PahoMqtt5Endpoint and PahoEndpoint 4.22): MQTT 5 and MQTT 3.1.1. */
import { defineComponent } from "../engine/component.ts";
import { pahoParts } from "./paho/component.ts";
import { ofVersion3, ofVersion5 } from "./paho/connection.ts";
import { mqtt3Ends, mqtt3Options, mqtt5Ends, mqtt5Options } from "./paho/options.ts";

export const pahoMqtt5 = defineComponent({
  scheme: "paho-mqtt5",
  docs: "Sends each message to a topic of an MQTT 5 broker, or subscribes to one and makes a message of each that the broker sends.",
  options: mqtt5Options,
  ends: mqtt5Ends,
  example: `from:
  uri: paho-mqtt5:sensors/+/temperature
  parameters: { client: "#broker", qos: 1, cleanStart: false }
  steps:
    - log:
        message: "\${header.CamelMqttTopic}: \${body}"`,
  ...pahoParts(ofVersion5),
});

export const paho = defineComponent({
  scheme: "paho",
  docs: "As `paho-mqtt5`, with MQTT 3.1.1, for brokers that do not speak version 5.",
  options: mqtt3Options,
  ends: mqtt3Ends,
  example: `to:
  uri: paho:alarms/boiler
  parameters: { client: "#broker", qos: 1, retained: true }`,
  ...pahoParts(ofVersion3),
});
