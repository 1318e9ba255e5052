/** The connection of an MQTT endpoint, and the session that its clients are opened with. */
import type { BrokerClient } from "../../connectors/mqtt/client.ts";
import type { Connection, ConnectionSession, OwnConnection } from "../../engine/connections/connection.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { readBrokers } from "./broker-url.ts";
import type { Mqtt3Options, Mqtt5Options } from "./options.ts";

export type MqttConnection = Connection<BrokerClient>;

/** What both components have in common, in the words of MQTT 5. */
export type PahoOptions = Omit<Mqtt5Options, "sessionExpiryInterval" | "receiveMaximum"> &
  Partial<Pick<Mqtt5Options, "sessionExpiryInterval" | "receiveMaximum">> &
  Partial<Pick<Mqtt3Options, "maxInflight">> & {
    readonly version: 4 | 5;
    readonly scheme: "paho" | "paho-mqtt5";
  };

export function ofVersion5(options: Mqtt5Options): PahoOptions {
  return { ...options, version: 5, scheme: "paho-mqtt5" };
}

export function ofVersion3({ cleanSession, ...options }: Mqtt3Options): PahoOptions {
  return { ...options, cleanStart: cleanSession, version: 4, scheme: "paho" } as PahoOptions;
}

/** The session never ends. */
const forEver = 0xffffffff;

/** Throws an Error for options that contradict each other. */
export function connectionOf(
  options: PahoOptions,
  context: Pick<EndpointContext, "connection">,
  session: ConnectionSession,
): MqttConnection {
  const { client } = options;
  const own = ownOf(options);
  if (own !== undefined && client !== undefined)
    throw new Error("client names a connection, and brokerUrl a broker of its own: leave one of them out");
  return context.connection<BrokerClient>({ kinds: ["mqtt"], option: "client", reference: client, own, session });
}

function ownOf({ brokerUrl, serverURIs, userName, password }: PahoOptions): OwnConnection | undefined {
  const text = serverURIs ?? brokerUrl;
  if (text === undefined) {
    if (userName === undefined && password === undefined) return undefined;
    throw new Error(
      "userName and password are for the broker that brokerUrl names: a connection has its user in its document",
    );
  }
  const { servers, tls } = readBrokers(text, serverURIs === undefined ? "brokerUrl" : "serverURIs");
  return { kind: "mqtt", servers, username: userName, password, ...(tls && { tls: {} }) };
}

/** What clients of both ends are opened with. */
function commonSession(options: PahoOptions): ConnectionSession {
  const { version, keepAliveInterval, connectionTimeout, willTopic, willPayload, willQos, willRetained } = options;
  if (willTopic === undefined && willPayload !== undefined)
    throw new Error("willPayload needs willTopic, the topic to which the broker sends it");
  if (willTopic !== undefined) checkTopic(willTopic, "willTopic");
  return {
    version,
    connectionTimeout,
    ...(keepAliveInterval !== undefined && { keepAlive: keepAliveInterval }),
    ...(willTopic !== undefined && { willTopic, willPayload: willPayload ?? "", willQos, willRetained }),
  };
}

/** The clients of a thread's producers share one connection where these are equal. */
export function producerSession(options: PahoOptions): ConnectionSession {
  const { maxInflight } = options;
  return { ...commonSession(options), ...(maxInflight !== undefined && { maxInflight }) };
}

/** How many messages of a consumer are under way at once. Those of several runs at once keep no order. */
export function underWay({ concurrentConsumers, window }: PahoOptions): {
  readonly credits: number;
  readonly window: number;
} {
  return concurrentConsumers === 1 ? { credits: window, window } : { credits: concurrentConsumers, window: 1 };
}

export interface ConsumerNames {
  readonly flowId: string;
  readonly routeId: string;
}

export function consumerSession(options: PahoOptions, { flowId, routeId }: ConsumerNames): ConnectionSession {
  const { clientId, cleanStart, version, sessionExpiryInterval = -1 } = options;
  const { manualAcksEnabled, receiveMaximum } = options;
  const { credits } = underWay(options);
  const expiry = sessionExpiryInterval === -1 ? forEver : sessionExpiryInterval;
  // A message that stays without an acknowledgement must not keep the broker from sending the next ones.
  const most = manualAcksEnabled ? receiveMaximum : Math.min(receiveMaximum ?? credits, credits);
  return {
    ...commonSession(options),
    clean: cleanStart,
    ...(clientId !== undefined ? { clientId } : !cleanStart && { clientName: `${flowId}-${routeId}` }),
    ...(version === 5 && !cleanStart && { sessionExpiryInterval: expiry }),
    ...(version === 5 && most !== undefined && { receiveMaximum: most }),
  };
}

/** Throws an Error for what is no topic that messages can be sent to. */
export function checkTopic(topic: string, what: string): void {
  if (topic === "") throw new Error(`${what} is empty`);
  if (/[+#]/.test(topic)) throw new Error(`${what} is '${topic.slice(0, 100)}': + and # are for consumers`);
  checkLength(topic, what);
}

/** Throws an Error for what is no filter (MQTT 5, 4.7 and 4.8). */
export function checkFilter(topic: string): void {
  const filter = /^\$share\//.test(topic) ? topic.split("/").slice(2).join("/") : topic;
  if (filter === "" || /^\$share\/(?:[^/]*[+#][^/]*)?\//.test(topic))
    throw new Error(`topic is '${topic.slice(0, 100)}': a shared subscription is $share/group/filter`);
  for (const [at, level] of filter.split("/").entries()) {
    if (level.includes("#") && (level !== "#" || at < filter.split("/").length - 1))
      throw new Error(`topic is '${topic.slice(0, 100)}': # is the last level, alone`);
    if (level.includes("+") && level !== "+") throw new Error(`topic is '${topic.slice(0, 100)}': + is a level, alone`);
  }
  checkLength(topic, "topic");
}

function checkLength(topic: string, what: string): void {
  if (topic.includes("\0")) throw new Error(`${what} has a character that no topic has`);
  if (Buffer.byteLength(topic) > 65_535) throw new Error(`${what} has more than 65535 bytes`);
}
