/**
 * Opens connections to addresses that flows may call. It judges every address that DNS returns, and the peer of the
 * connection.
 *
 * The gate at the socket (gate.ts) judges the same connections once more, and neither replaces the other. The gate is a
 * replaced method of Node's sockets: it covers libraries that open connections by themselves, but a version of Node that
 * connects by another way would pass it without notice, and it does not see the peer. This file does not depend on it,
 * and covers only what is opened here. Both are tested alone: this file without the gate in
 * test/workers/components/http-egress.test.ts, the gate with other libraries in test/workers/engine/net/gate.test.ts. A
 * connection is judged when it is opened, not for each request, so the second judgement costs little.
 */
import type { LookupAddress } from "node:dns";
import type { LookupFunction, Socket } from "node:net";
import { type Egress, egressProblem, hostProblem } from "../../../shared/egress.ts";
import { FlowException } from "../exception.ts";
import { connectionScheme } from "./gate.ts";
import type { Resolve, Server } from "./server.ts";
import { requireBehindProxy, tunnel } from "./tunnel.ts";

/** No server accepted the connection in time. */
export class ConnectTimeout extends Error {}

export function systemResolve(host: string): Promise<readonly LookupAddress[]> {
  const { lookup } = process.getBuiltinModule("node:dns");
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

/** Rejects with EgressDeniedException, ConnectTimeout, or an error of the system. */
export function openConnection(
  egress: Egress,
  server: Server,
  withinMs: number,
  resolve: Resolve = systemResolve,
): Promise<Socket> {
  let opening: Socket | undefined;
  let late = false;
  const opened = open(egress, server, resolve, (socket) => {
    opening = socket;
    if (late) socket.destroy();
  });
  return new Promise((done, fail) => {
    const timer = setTimeout(() => {
      late = true;
      opening?.destroy();
      fail(new ConnectTimeout(`Connect to ${server.host}:${server.port} timed out after ${withinMs} ms`));
    }, withinMs);
    opened.then(done, fail).finally(() => clearTimeout(timer));
  });
}

async function open(
  egress: Egress,
  server: Server,
  resolve: Resolve,
  begun: (socket: Socket) => void,
): Promise<Socket> {
  const { scheme, host, tls, through } = server;
  if (through !== undefined) await requireBehindProxy(egress, server, resolve);
  const socket = await reach(egress, through === undefined ? server : { scheme, ...through }, resolve, begun);
  if (tls === undefined) return socket;
  if (through !== undefined) await tunnel(socket, server, through);
  const { connect, checkServerIdentity } = process.getBuiltinModule("node:tls");
  const { serverName = host, ...options } = tls;
  const encrypted = connect({
    socket,
    host,
    // An address cannot be asked for by name (RFC 6066).
    ...(process.getBuiltinModule("node:net").isIP(serverName) === 0 && { servername: serverName }),
    ...(serverName !== host && {
      checkServerIdentity: (_, certificate) => checkServerIdentity(serverName, certificate),
    }),
    ...options,
  });
  begun(encrypted);
  await arrival(encrypted, "secureConnect");
  return encrypted;
}

/** Connects to addresses that flows may call. */
async function reach(
  egress: Egress,
  { scheme, host, port }: Server,
  resolve: Resolve,
  begun: (socket: Socket) => void,
): Promise<Socket> {
  const net = process.getBuiltinModule("node:net");
  const family = net.isIP(host);
  const requireAllowed = (address: string): void => deny(egressProblem(egress, host, port, address, scheme));
  deny(hostProblem(egress, host, port, scheme));
  const addresses = family === 0 ? await resolve(host) : [{ address: host, family }];
  // One forbidden address refuses the name, since this code does not choose which of them is used.
  for (const { address } of addresses) requireAllowed(address);
  if (addresses.length === 0) throw Object.assign(new Error(`${host} has no address`), { code: "ENOTFOUND" });
  const lookup: LookupFunction = (_host, { all }, answer) => {
    const [first] = addresses as [LookupAddress];
    if (all === true) answer(null, [...addresses]);
    else answer(null, first.address, first.family);
  };
  const judgedBy = { [connectionScheme]: scheme };
  const socket = net.connect({
    ...judgedBy,
    host,
    port,
    lookup,
    autoSelectFamily: true,
    noDelay: true,
    keepAlive: true,
  });
  begun(socket);
  await arrival(socket, "connect");
  try {
    requireAllowed(socket.remoteAddress ?? "");
  } catch (error) {
    socket.destroy();
    throw error;
  }
  return socket;
}

function deny(problem: string | undefined): void {
  if (problem !== undefined) throw new FlowException("EgressDeniedException", problem);
}

function arrival(socket: Socket, event: "connect" | "secureConnect"): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = (): void => {
      socket.off(event, arrived).off("error", failed).off("close", closed);
    };
    const arrived = (): void => {
      over();
      resolve();
    };
    const failed = (error: Error): void => {
      over();
      // Ignores a second failure, since the first one has been reported.
      socket.on("error", () => {});
      socket.destroy();
      reject(error);
    };
    const closed = (): void => failed(Object.assign(new Error("the connection was closed"), { code: "ECONNRESET" }));
    socket.on(event, arrived).on("error", failed).on("close", closed);
  });
}
