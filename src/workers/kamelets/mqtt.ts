/** Kamelets that send to an MQTT broker, or subscribe to one. */
import { type KameletDefinition, needed, text, type WordedProperty } from "./definition.ts";

interface Version {
  /** In the kamelets' names. */
  readonly name: string;
  readonly title: string;
  readonly scheme: "paho" | "paho-mqtt5";
}

const versions: readonly Version[] = [
  { name: "mqtt", title: "MQTT", scheme: "paho" },
  { name: "mqtt5", title: "MQTT 5", scheme: "paho-mqtt5" },
];

const broker: Readonly<Record<string, WordedProperty>> = {
  brokerUrl: needed(
    "The URL of the broker, such as `tcp://broker.example.org:1883`, or `ssl://...:8883`; an EGRESS_ALLOW rule must name it.",
  ),
  username: text("The user at the broker, if it wants one."),
  password: text("The password of the user. Write a secret: `{{secret:NAME}}`."),
};

function sink({ name, title, scheme }: Version): KameletDefinition {
  return {
    name: `${name}-sink`,
    docs: `Sends each message to a topic of an ${title} broker.`,
    properties: { topic: needed("The topic that messages are sent to."), ...broker },
    template: `from:
  uri: kamelet:source
  steps:
    - to:
        uri: "${scheme}:{{topic}}"
        parameters:
          brokerUrl: "{{brokerUrl}}"
          userName: "{{?username}}"
          password: "{{?password}}"`,
  };
}

function source({ name, title, scheme }: Version): KameletDefinition {
  return {
    name: `${name}-source`,
    docs: `Subscribes to a topic of an ${title} broker; each message that the broker sends is a message, with bytes as its body.`,
    properties: {
      topic: needed("The topic, in which `+` stands for one level and `#` for all that follow."),
      clientId: {
        ...text(
          "The name of the client at the broker, which one client has at a time: write one of its own for each flow.",
        ),
        default: "mqtt-source",
      },
      ...broker,
    },
    template: `from:
  uri: "${scheme}:{{topic}}"
  parameters:
    brokerUrl: "{{brokerUrl}}"
    clientId: "{{clientId}}"
    userName: "{{?username}}"
    password: "{{?password}}"
  steps:
    - to: kamelet:sink`,
  };
}

export const mqttKamelets: readonly KameletDefinition[] = versions.flatMap((one) => [sink(one), source(one)]);
