/** Opens connections to brokers of AMQP 1.0. */
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";
import type { ConnectionDriver, Opening } from "../../engine/connections/connection.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { boundLogin } from "../login-bytes.ts";
import { openOneOf } from "../servers.ts";
import { type AddressPrefixes, BrokerClient } from "./client.ts";
import { type BrokerError, brokerFailure, connectionFailure, jmsFailure } from "./failure.ts";
import { type ConnectOptions, type RheaConnection, type RheaContext, rhea } from "./library.ts";
import { mechanismsOf } from "./sasl.ts";
import { mostFrameBytes, openSocket, watchFrames } from "./socket.ts";

interface Opened {
  readonly client: BrokerClient;
  readonly socket: Socket;
}

const unanswered =
  "the server has closed the connection without an answer, as one that does not speak AMQP here does: name the broker's AMQP port, 5672 by default";

const sockets = new WeakMap<BrokerClient, Socket>();

export const driver: ConnectionDriver<BrokerClient> = {
  async open(settings, opening) {
    const { client, socket } = await openOneOf(settings, (server) => openAt(server, settings, opening));
    sockets.set(client, socket);
    return client;
  },
  async close(client) {
    await client.close();
    sockets.get(client)?.destroy();
  },
  async probe(client) {
    const { product = "AMQP 1.0 broker", version = "" } = client.connection.properties ?? {};
    const socket = sockets.get(client) as Partial<TLSSocket> | undefined;
    return {
      serverVersion: `${String(product)} ${String(version)}`.trim(),
      tls: socket?.encrypted === true ? (socket.getProtocol?.() ?? null) : null,
    };
  },
};

async function openAt(server: ConnectionServer, settings: ConnectionSettings, opening: Opening): Promise<Opened> {
  const where = `${server.host}:${server.port}`;
  let socket: Socket | undefined;
  let client: BrokerClient | undefined;
  /** Why the connection cannot be used; the first reason counts. */
  let problem: Error | undefined;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = (error: Error): void => {
    problem ??= error;
    reject(problem);
    socket?.destroy();
    if (client === undefined || client.lost.aborted) return;
    const closing = client.isClosing;
    client.lose(problem);
    if (!closing) opening.lost(problem);
  };
  const fail = (what: string, cause?: unknown): void => end(connectionFailure(`${where}: ${what}`, cause));
  const connection = rhea.create_container({ id: containerId(settings, opening) }).create_connection(
    optionsOf(server, settings, opening, (connected) => {
      socket = openSocket(server, settings, connected);
      watchFrames(socket, server.port, (what) => fail(what));
      socket.on("error", (error) => end(connectError(where, error)));
      const isSilent = (): boolean => socket?.bytesRead === 0;
      socket.prependListener("end", () => {
        if (isSilent()) fail(unanswered);
      });
      socket.on("close", () => {
        for (const timer of [connection.heartbeat_in, connection.heartbeat_out, connection.abort_idle])
          clearTimeout(timer);
        fail(isSilent() ? unanswered : "the broker has closed the connection");
      });
      return socket;
    }),
  );
  listen(connection, where, resolve, end);
  const giveUp = (): void => end(opening.signal.reason as Error);
  opening.signal.addEventListener("abort", giveUp, { once: true });
  let loggedIn = (): void => {};
  try {
    opening.signal.throwIfAborted();
    connection.connect();
    if (socket !== undefined) loggedIn = boundLogin(socket);
    await promise;
    if (socket === undefined) throw new Error("there is no socket");
    client = new BrokerClient(connection, prefixesOf(settings, connection), opening.limits);
    return { client, socket };
  } finally {
    loggedIn();
    opening.signal.removeEventListener("abort", giveUp);
  }
}

/** Each event of the library has a listener: one without would end the thread, or write to its console. */
function listen(connection: RheaConnection, where: string, opened: () => void, end: (error: Error) => void): void {
  const broken = (context: unknown): void => {
    const { error } = (context ?? {}) as RheaContext;
    const { condition, description } = (error ?? {}) as BrokerError;
    if (condition === undefined) end(connectionFailure(`${where}: the connection is lost`, error));
    else if (condition !== "amqp:unauthorized-access")
      end(brokerFailure(`${where}: the broker has ended the connection`, { condition, description }));
    else {
      const what = "authentication failed: the broker does not accept the user or the password";
      end(jmsFailure(`${where}: ${what} (${description})`, condition));
    }
  };
  connection.on("connection_open", opened);
  for (const event of ["connection_error", "connection_close", "disconnected"]) connection.on(event, broken);
  for (const event of ["error", "protocol_error"]) connection.on(event, (error: unknown) => broken({ error }));
  for (const event of ["settled", "sender_flow", "receiver_flow", "sender_draining", "sender_open", "session_open"])
    connection.on(event, () => {});
}

function optionsOf(
  { host, port }: ConnectionServer,
  settings: ConnectionSettings,
  opening: Opening,
  connect: (connected: () => void) => Socket,
): ConnectOptions {
  const { virtualHost, idleTimeoutMs } = settings.options;
  return {
    container_id: containerId(settings, opening),
    hostname: virtualHost === undefined ? host : String(virtualHost),
    // The other side must send twice in this time; the library ends the connection after twice the time without a word.
    idle_time_out: Math.ceil(Number(idleTimeoutMs) / 2),
    max_frame_size: mostFrameBytes,
    channel_max: 255,
    desired_capabilities: ["ANONYMOUS-RELAY", "DELAYED_DELIVERY", "SHARED-SUBS"],
    sasl_mechanisms: mechanismsOf(settings),
    reconnect: false,
    connection_details: () => ({
      connect: (_port, _host, _options, connected) => connect(connected),
      ...{ host, port, options: {} },
    }),
  };
}

function containerId({ options }: ConnectionSettings, { session }: Opening): string {
  const { clientId } = session;
  return clientId === undefined ? `${String(options["containerId"])}-${randomUUID()}` : String(clientId);
}

function prefixesOf({ options }: ConnectionSettings, { properties = {} }: RheaConnection): AddressPrefixes {
  const prefix = (own: unknown, announced: unknown): string =>
    typeof own === "string" ? own : typeof announced === "string" ? announced : "";
  return {
    queue: prefix(options["queuePrefix"], properties["queue-prefix"]),
    topic: prefix(options["topicPrefix"], properties["topic-prefix"]),
  };
}

function connectError(where: string, error: Error): Error {
  if (error instanceof FlowException) return error;
  return jmsFailure(`${where}: ${exceptionMessage(error)}`, undefined, error);
}
