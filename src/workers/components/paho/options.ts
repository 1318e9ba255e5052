/** The options of both ends of an MQTT endpoint (Camel: paho-mqtt5.json and paho.json 4.22). */
import { consumerNames, consumerOptions, windowOption } from "../../engine/attended/consumer-options.ts";
import type { Slots, Z } from "../../engine/slots.ts";

const noBeans = "there are no beans of this kind: leave it out";
const trust =
  "write a connection with tls, which has the authority (ca) and the client's certificate, and name it by client";
const memory = "messages that are not acknowledged stay at the broker: leave it out";

const qosWords =
  "The quality of service. For a producer 0 is sent once, 1 is confirmed and may arrive twice, 2 arrives once. For a consumer it is the highest that the broker delivers with.";
const cleanWords =
  "With `false` the broker keeps the subscription and its messages while the flow is not connected, under a client id that stays. With `true` messages are lost that come while the flow is replaced, after its thread was killed, and while the connection is lost.";

const consumer = ["clientId", "manualAcksEnabled", "concurrentConsumers", "window", ...consumerNames];

/** Options that only the consumer reads, and those that only the producer reads. */
export const mqtt5Ends = {
  consumer: [...consumer, "cleanStart", "sessionExpiryInterval", "receiveMaximum"],
  producer: ["retained"],
};
export const mqtt3Ends = { consumer: [...consumer, "cleanSession"], producer: ["retained", "maxInflight"] };

/** The options in which secrets may stand. */
export const pahoSecrets = { userName: "text", password: "text" } as const;

function common(slots: Slots) {
  const { text, flag, integer, oneOf, only, idle, refused } = slots;
  const qos = (words: string) => integer(words).refine((value) => value >= 0 && value <= 2, "0, 1 or 2 is expected");
  return {
    topic: text(
      "The topic. A consumer can write a filter: `+` stands for one level, `#` for all that follow, and `$share/group/...` has the broker give each message to one of the group.",
    ),
    client: text(
      "The connection to the broker: `#broker` is the named connection of this name. Without it, and without `brokerUrl`, the default connection of the flow's group.",
    ).optional(),
    brokerUrl: text(
      "The broker, in place of a named connection: `tcp://broker.example.org:1883`, or `ssl://...:8883` with the server's certificate checked. An EGRESS_ALLOW rule must name it.",
    ).optional(),
    serverURIs: text(
      "Several brokers with commas between them, in the order in which they are tried, in place of `brokerUrl`.",
    ).optional(),
    userName: text("The user at the broker that `brokerUrl` names.").optional(),
    password: text("The password of `userName`. Write a secret: `{{secret:NAME}}`.").optional(),
    clientId: text(
      "The consumer's name at the broker, which one client has at a time. By default it begins with the connection's clientIdPrefix; with a session that is kept the ids of flow and route follow. Producers have an id for each thread.",
    ).optional(),
    qos: qos(qosWords).default(2),
    retained: flag("The broker keeps the message, and gives it to those who subscribe to the topic later.").default(
      false,
    ),
    keepAliveInterval: integer(
      "Seconds without a message after which the client sends the broker a ping. The default is the keepAlive of the connection, which is 15. 0: never.",
    )
      .refine((seconds) => seconds >= 0 && seconds <= 65_535, "keepAliveInterval is from 0 to 65535 seconds")
      .optional(),
    connectionTimeout: integer(
      "How many seconds connecting may take, up to the limit outboundConnectMs; 0: that limit.",
    )
      .refine((seconds) => seconds >= 0, "connectionTimeout is a number of seconds")
      .default(30),
    maxReconnectDelay: integer("The longest pause in milliseconds between two attempts of a consumer to connect.")
      .refine((ms) => ms >= 100, "maxReconnectDelay is at least 100 ms")
      .default(60_000),
    willTopic: text(
      "The topic of the message that the broker sends when the client goes without saying so, as after a kill.",
    ).optional(),
    willPayload: text("The body of that message.").optional(),
    willRetained: flag("That message is retained.").default(false),
    manualAcksEnabled: flag(
      "A message whose run fails is not acknowledged: the broker sends it again after the connection was lost or the flow was replaced.",
    ).default(false),
    concurrentConsumers: integer(
      "How many messages are in the route at the same time; with more than 1 they do not keep their order. Camel does not have it.",
    )
      .refine((count) => count >= 1 && count <= 100, "concurrentConsumers is from 1 to 100")
      .default(1),
    window: windowOption(
      slots,
      "the subscription",
      ", as does more than one of `concurrentConsumers`",
      "After a loss as many may be done twice.",
    ),
    ...consumerOptions(slots),

    automaticReconnect: only(true, "a lost connection always comes back: leave it out"),
    persistence: refused(memory, "MEMORY"),
    filePersistenceDirectory: refused(memory),
    executorServiceTimeout: idle(integer, "what is under way has the time of the drain (DRAIN_MS)"),
    customWebSocketHeaders: refused("MQTT over WebSocket is not spoken: write tcp:// or ssl://"),
    httpsHostnameVerificationEnabled: only(true, "the name in the certificate is always checked: leave it out"),
    sslHostnameVerifier: refused(
      `the name in the certificate is checked against the host, or against serverName: ${trust}`,
    ),
    sslClientProps: refused(trust),
    socketFactory: refused(trust),
    lazyStartProducer: refused("connections are opened by the first message: leave it out", "false"),
    exchangePattern: idle(
      (words) => oneOf(["InOnly", "InOut"], words),
      "MQTT has no reply to a message: a step sends it, to the topic that the message names",
    ),
    willQos: qos("The quality of service of that message."),
  };
}

export function mqtt5Options(z: Z, slots: Slots) {
  const { willQos, ...options } = common(slots);
  const { flag, integer, refused } = slots;
  return z.object({
    ...options,
    willQos: willQos.default(1),
    cleanStart: flag(cleanWords).default(true),
    sessionExpiryInterval: integer(
      "With `cleanStart: false`, how many seconds the broker keeps the session while the flow is not connected; -1: without an end.",
    )
      .refine((seconds) => seconds >= -1 && seconds < 2 ** 32, "sessionExpiryInterval is a number of seconds, or -1")
      .default(-1),
    receiveMaximum: integer(
      "The most messages that the broker sends ahead of their acknowledgements. By default, and at most unless `manualAcksEnabled` is set, as many as `window`, or `concurrentConsumers` if that is more than 1.",
    )
      .refine((count) => count >= 1 && count <= 65_535, "receiveMaximum is from 1 to 65535")
      .optional(),
    willMqttProperties: refused(noBeans),
  });
}

export function mqtt3Options(z: Z, slots: Slots) {
  const { willQos, ...options } = common(slots);
  const { flag, integer, refused } = slots;
  return z.object({
    ...options,
    willQos: willQos.default(0),
    cleanSession: flag(cleanWords).default(true),
    maxInflight: integer("How many messages of a thread's producers may wait for the broker's confirmation together.")
      .refine((count) => count >= 1 && count <= 65_535, "maxInflight is from 1 to 65535")
      .default(10),
    mqttVersion: refused("MQTT 3.1.1 is spoken, which is version 4: leave it out", "4"),
  });
}

export type Mqtt5Options = ReturnType<ReturnType<typeof mqtt5Options>["parse"]>;
export type Mqtt3Options = ReturnType<ReturnType<typeof mqtt3Options>["parse"]>;
