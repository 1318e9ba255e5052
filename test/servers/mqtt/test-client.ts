/** What tests ask of a broker without a runtime. */
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import type { Broker } from "./mosquitto.ts";

export interface Heard {
  readonly topic: string;
  readonly text: string;
  readonly packet: mqtt.IPublishPacket;
}

/** A client that is connected; it comes back when the broker does, without loss where its session is kept. */
export async function connect(
  { host, port, username, password }: Broker,
  options: IClientOptions = {},
): Promise<MqttClient> {
  return await mqtt.connectAsync(`mqtt://${host}:${port}`, {
    ...{ username, password, protocolVersion: 5, reconnectPeriod: 100 },
    ...options,
  });
}

/** As many as Mosquitto takes at a time: it ends the connection of a client that sends more. */
const mostUnconfirmed = 20;

/** Publishes the messages; resolves when the broker has confirmed all. */
export async function publish(
  broker: Broker,
  messages: readonly (readonly [topic: string, text: string])[],
  options: mqtt.IClientPublishOptions = { qos: 1 },
): Promise<void> {
  const client = await connect(broker, { reconnectPeriod: 0 });
  const lost = new Promise<never>((_, reject) => {
    client.on("close", () => reject(new Error("the broker has gone")));
  });
  lost.catch(() => {});
  try {
    for (let from = 0; from < messages.length; from += mostUnconfirmed) {
      const part = messages.slice(from, from + mostUnconfirmed);
      const all = Promise.all(part.map(([topic, text]) => client.publishAsync(topic, text, options)));
      await Promise.race([all, lost]);
    }
    await client.endAsync();
  } finally {
    client.end(true);
  }
}

/** Collects what comes on a topic, each once, over restarts of the broker. */
export async function listen(
  broker: Broker,
  filter: string,
): Promise<{ readonly heard: Heard[]; readonly client: MqttClient }> {
  const heard: Heard[] = [];
  const client = await connect(broker, {
    ...{ clientId: `listener-${filter.replaceAll(/\W/g, "-")}`, clean: false },
    properties: { sessionExpiryInterval: 3600 },
  });
  client.on("message", (topic, payload, packet) => heard.push({ topic, text: payload.toString(), packet }));
  await client.subscribeAsync(filter, { qos: 2 });
  return { heard, client };
}

/** Makes the session of a client that is not there, so that messages are kept for it; what was there is discarded. */
export async function prepareSession(
  broker: Broker,
  clientId: string,
  filter: string,
  qos: 0 | 1 | 2,
  version: 4 | 5 = 5,
): Promise<void> {
  const old = await connect(broker, { clientId, clean: true, protocolVersion: version, reconnectPeriod: 0 });
  await old.endAsync();
  const client = await connect(broker, {
    ...{ clientId, clean: false, protocolVersion: version, reconnectPeriod: 0 },
    ...(version === 5 && { properties: { sessionExpiryInterval: 3600 } }),
  });
  await client.subscribeAsync(filter, { qos });
  await client.endAsync();
}

/** Resolves with the messages that the broker still has for a client that is not there. */
export async function leftFor(broker: Broker, clientId: string, version: 4 | 5 = 5): Promise<readonly string[]> {
  const texts: string[] = [];
  const client = mqtt.connect(`mqtt://${broker.host}:${broker.port}`, {
    ...{ username: broker.username, password: broker.password, protocolVersion: version, reconnectPeriod: 0 },
    ...{ clientId, clean: false },
    ...(version === 5 && { properties: { sessionExpiryInterval: 3600 } }),
  });
  client.on("message", (_topic, payload) => texts.push(payload.toString()));
  await new Promise((resolve) => client.once("connect", resolve));
  // What the broker has for it comes before the answer to a new subscription.
  await client.subscribeAsync(`marker/${clientId}`, { qos: 1 });
  await client.publishAsync(`marker/${clientId}`, "marker", { qos: 1 });
  while (!texts.includes("marker")) await new Promise((resolve) => client.once("message", resolve));
  await client.unsubscribeAsync(`marker/${clientId}`);
  await client.endAsync();
  return texts.filter((text) => text !== "marker");
}
