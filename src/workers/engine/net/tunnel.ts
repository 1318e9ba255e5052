/** Servers behind an HTTP proxy: whether flows may call them, and tunnels to them (RFC 9110 9.3.6, CONNECT). */
import type { Socket } from "node:net";
import { type Egress, egressProblem, hostProblem } from "../../../shared/egress.ts";
import { FlowException } from "../exception.ts";
import type { ProxyServer, Resolve, Server } from "./server.ts";

/** The most bytes of the head of a proxy's answer. */
const headBytes = 16 * 1024;

/**
 * Judges a server that a proxy connects to. Its addresses are judged as those of a server without a proxy; a name that has
 * none here must be named by a rule, since only the proxy knows where it leads. Rejects with EgressDeniedException.
 */
export async function requireBehindProxy(
  egress: Egress,
  { scheme, host, port }: Server,
  resolve: Resolve,
): Promise<void> {
  deny(hostProblem(egress, host, port, scheme));
  if (process.getBuiltinModule("node:net").isIP(host) !== 0) return;
  const byName = { ...egress, closed: true, rules: egress.rules.filter(({ kind }) => kind === "host") };
  if (hostProblem(byName, host, port, scheme) === undefined) return;
  const addresses = await resolve(host).catch(() => []);
  for (const { address } of addresses) deny(egressProblem(egress, host, port, address, scheme));
  if (addresses.length === 0)
    deny(
      `${host} has no address here, and only the proxy could resolve it: the operator names it in the servers of the connection, or with EGRESS_ALLOW=${host}:${port}`,
    );
}

function deny(problem: string | undefined): void {
  if (problem !== undefined) throw new FlowException("EgressDeniedException", problem);
}

/** Asks the proxy at the other end for a connection to the server. Destroys the socket if it gets none. */
export async function tunnel(socket: Socket, { host, port }: Server, proxy: ProxyServer): Promise<void> {
  const to = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const lines = [`CONNECT ${to} HTTP/1.1`, `Host: ${to}`];
  if (proxy.authorization !== undefined) lines.push(`Proxy-Authorization: ${proxy.authorization}`);
  socket.write(`${lines.join("\r\n")}\r\n\r\n`);
  const by = `the proxy ${proxy.host}:${proxy.port}`;
  try {
    const [status = ""] = (await headOf(socket, by)).split("\r\n");
    const [, code, reason = ""] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(status) ?? [];
    if (code === undefined) throw failure(`${by} does not answer as an HTTP proxy`);
    if (code.startsWith("2")) return;
    const advice = code === "407" ? ": its user and password are username and passwordRef of the connection" : "";
    throw failure(`${by} refuses a tunnel to ${to}: ${`${code} ${reason.slice(0, 200)}`.trim()}${advice}`);
  } catch (error) {
    socket.on("error", () => {});
    socket.destroy();
    throw error;
  }
}

function failure(message: string): FlowException {
  return new FlowException("java.io.IOException", message);
}

/** Reads up to the empty line; what follows stays in the socket. */
function headOf(socket: Socket, by: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const over = (): void => {
      socket.off("data", add).off("error", reject).off("close", closed);
      socket.pause();
    };
    const closed = (): void => {
      over();
      reject(failure(`${by} closed the connection in place of opening a tunnel`));
    };
    const add = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf("\r\n\r\n");
      if (end < 0 && read.length <= headBytes) return;
      over();
      if (end >= 0 && read.length > end + 4) socket.unshift(read.subarray(end + 4));
      if (end >= 0) resolve(read.toString("latin1", 0, end));
      else reject(failure(`the head of the answer of ${by} has more than ${headBytes} bytes`));
    };
    socket.on("data", add).on("error", reject).on("close", closed);
  });
}
