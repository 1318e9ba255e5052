/** Opens connections to MQTT brokers. */

import type { TLSSocket } from "node:tls";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import { randomHex } from "../../../shared/ids.ts";
import type { ConnectionDriver, ConnectionSession, Opening } from "../../engine/connections/connection.ts";
import { wait } from "../../engine/waiting.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { openSocket } from "../socket.ts";
import { BrokerClient } from "./client.ts";
import { causeOf, closedFor, codeOf, disconnectReason, type MqttVersion, mqttFailure, remarkOf } from "./failure.ts";
import { cutPackets, expectBroker } from "./frames.ts";
import { Client, type IClientOptions, type IConnackPacket } from "./library.ts";
import { isLater, Receiving } from "./receiving.ts";

/** Bytes of a packet beside the body of its message: a topic and properties. */
const mostBesideBody = 256 * 1024;
/** The codes with which brokers refuse a version of the protocol, in the answers of 3.1.1 and of 5. */
const otherVersion = new Set([1, 132]);
/** How long a trial waits for what Mosquitto says of itself. */
const versionMs = 500;

export const driver: ConnectionDriver<BrokerClient> = {
  open: (settings, opening) => openOneOf(settings, (server) => openAt(server, settings, opening)),
  close: (client) => client.close(),
  async probe(client) {
    const version = await Promise.race([brokerVersion(client), wait(versionMs, new AbortController().signal)]);
    const protocol = client.version === 5 ? "MQTT 5" : "MQTT 3.1.1";
    const tls = "getProtocol" in client.socket ? (client.socket as TLSSocket).getProtocol() : null;
    return { serverVersion: typeof version === "string" ? `${version}, ${protocol}` : protocol, tls };
  },
};

/** Mosquitto has its name and version in a topic. */
async function brokerVersion(client: BrokerClient): Promise<string | undefined> {
  const said = new Promise<string>((resolve) =>
    client.receive(async ({ payload }) => resolve(Buffer.from(payload).toString("utf8").slice(0, 100))),
  );
  try {
    await client.subscribe("$SYS/broker/version", { qos: 0, retainedOnce: false }, new AbortController().signal);
    return await said;
  } catch {
    return undefined;
  }
}

async function openAt(server: ConnectionServer, settings: ConnectionSettings, opening: Opening): Promise<BrokerClient> {
  const { version } = opening.session;
  try {
    return await openAs(version === 4 ? 4 : 5, server, settings, opening);
  } catch (error) {
    const code = codeOf((error as { readonly cause?: unknown }).cause);
    // A trial does not know which one flows will speak.
    if (version !== undefined || code === undefined || !otherVersion.has(code)) throw error;
    return await openAs(4, server, settings, opening);
  }
}

async function openAs(
  version: MqttVersion,
  server: ConnectionServer,
  settings: ConnectionSettings,
  { signal, limits, lost, session }: Opening,
): Promise<BrokerClient> {
  const address = `${server.host}:${server.port}`;
  const seconds = Number(session["connectionTimeout"] ?? 0);
  const over = seconds > 0 ? AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]) : signal;
  try {
    const socket = await openSocket(server, settings, over);
    let reason: Error | undefined;
    // The first failure is the cause of those that follow.
    const fail = (error: Error): void => {
      reason ??= error;
      socket.destroy();
    };
    const loggedIn = boundLogin(socket);
    expectBroker(socket, fail);
    const mostBytes = limits.messageBodyBytes + mostBesideBody;
    const cutBytes = cutPackets(socket, { version, mostBytes, mostHeadBytes: mostBesideBody }, fail);
    const client = new Client(() => socket, clientOptions(version, settings, session, limits.outboundConnectMs));
    const receiving = new Receiving(client, cutBytes);
    const giveUp = (): void => void socket.destroy();
    over.addEventListener("abort", giveUp, { once: true });
    let opened: BrokerClient | undefined;
    let said = "";
    client.on("error", (error) => {
      if (!isLater(error)) fail(error);
    });
    client.on("packetreceive", (packet) => {
      // The library leaves out what the broker says beside its code.
      if (packet.cmd === "connack") said = remarkOf(packet.properties);
    });
    client.on("disconnect", (packet) => {
      fail(disconnectReason(packet, client.options.clientId ?? ""));
    });
    socket.on("error", fail);
    client.on("close", () => {
      if (opened === undefined || opened.hasEnded) return;
      const why = reason ?? closedFor(opened.clientId);
      opened.end(why);
      lost(mqttFailure(version, `${address}: ${causeOf(why)}`, why));
    });
    try {
      const connack = await new Promise<IConnackPacket>((resolve, reject) => {
        client.on("connect", resolve);
        client.on("close", () => {
          const why = causeOf(reason ?? new Error("the broker has closed the connection before the login was over"));
          reject(Object.assign(new Error(`${why}${said}`, { cause: reason }), { code: codeOf(reason) }));
        });
        client.connect();
      });
      const most = session["maxInflight"];
      opened = new BrokerClient(client, socket, receiving, connack, typeof most === "number" ? most : undefined);
      return opened;
    } finally {
      loggedIn();
      over.removeEventListener("abort", giveUp);
    }
  } catch (error) {
    const late = over.aborted && !signal.aborted ? `it did not answer within ${seconds} s` : causeOf(error);
    throw mqttFailure(version, `${address}: ${late}`, error);
  }
}

function clientOptions(
  version: MqttVersion,
  { username, password, options }: ConnectionSettings,
  session: ConnectionSession,
  connectMs: number,
): IClientOptions {
  const { clientId, clientName, clean = true, keepAlive, sessionExpiryInterval, receiveMaximum } = session;
  const properties = {
    ...(typeof sessionExpiryInterval === "number" && { sessionExpiryInterval }),
    ...(typeof receiveMaximum === "number" && { receiveMaximum }),
  };
  return {
    manualConnect: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    timerVariant: "native",
    log: () => {},
    protocolVersion: version,
    // Threads have a client each, which brokers would take for one that has moved.
    clientId:
      typeof clientId === "string"
        ? clientId
        : `${options["clientIdPrefix"] ?? "bulkhead"}-${clientName ?? randomHex(12)}`,
    clean: clean === true,
    keepalive: Number(keepAlive ?? options["keepAlive"]),
    connectTimeout: connectMs,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(version === 5 && { properties }),
    ...willOf(session),
  };
}

function willOf({ willTopic, willPayload = "", willQos = 0, willRetained = false }: ConnectionSession): IClientOptions {
  if (typeof willTopic !== "string") return {};
  return {
    will: {
      topic: willTopic,
      payload: Buffer.from(String(willPayload)),
      qos: willQos === 1 || willQos === 2 ? willQos : 0,
      retain: willRetained === true,
    },
  };
}
