/**
 * Opens the socket of a connection, and watches what the broker sends: whether it speaks AMQP 1.0 at all, and how large its
 * frames are. The library itself would keep a frame of any size in memory.
 */
import type { Socket } from "node:net";
import type { ConnectionServer, ConnectionSettings } from "../../../shared/connection.ts";

/** A broker keeps to it when it opens the connection; before that frames have at most 512 bytes. */
export const mostFrameBytes = 64 * 1024;
const amqpName = Buffer.from("AMQP");

export function openSocket(
  { host, port }: ConnectionServer,
  { tls, cert, key }: ConnectionSettings,
  connected: () => void,
): Socket {
  const to = { host, port, noDelay: true, keepAlive: true };
  if (tls === undefined) return process.getBuiltinModule("node:net").connect(to, connected);
  const { connect, checkServerIdentity } = process.getBuiltinModule("node:tls");
  const { isIP } = process.getBuiltinModule("node:net");
  const { ca, serverName } = tls;
  const expected = serverName ?? host;
  return connect(
    {
      ...to,
      rejectUnauthorized: true,
      ...(isIP(expected) === 0 && { servername: expected }),
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && { cert }),
      ...(key !== undefined && { key }),
      checkServerIdentity: (_host, certificate) => checkServerIdentity(expected, certificate),
    },
    connected,
  );
}

/** Calls `refuse` with what is wrong with the first bytes, or with a frame. Must be called before the library has the socket. */
export function watchFrames(socket: Socket, port: number, refuse: (problem: string) => void): void {
  /** Bytes of a head that is not whole. */
  let head = Buffer.alloc(0);
  /** Bytes of the present frame that are still to come. */
  let left = 0;
  let judged = false;
  socket.on("data", (chunk: Buffer) => {
    let at = 0;
    while (at < chunk.length && !socket.destroyed) {
      if (left > 0) {
        const part = Math.min(left, chunk.length - at);
        left -= part;
        at += part;
        continue;
      }
      const wanted = judged ? 4 : 8;
      const part = chunk.subarray(at, at + wanted - head.length);
      head = Buffer.concat([head, part]);
      at += part.length;
      const problem = judged ? undefined : firstBytesProblem(head, port);
      if (problem !== undefined) return refuse(problem);
      if (head.length < wanted) break;
      const isHead = head.subarray(0, 4).equals(amqpName);
      const size = isHead ? 8 : head.readUInt32BE();
      if (size > mostFrameBytes || size < 8)
        return refuse(`it has sent a frame of ${size} bytes, and may send ${mostFrameBytes}`);
      left = size - head.length;
      head = Buffer.alloc(0);
      judged = true;
    }
  });
}

/** What speaks here, if it is not AMQP 1.0; undefined: it may be, or more bytes are needed. */
function firstBytesProblem(head: Buffer, port: number): string | undefined {
  const text = head.toString("latin1");
  if (text === "AMQP".slice(0, text.length)) return undefined;
  if (text.startsWith("AMQP")) {
    const version = [...head.subarray(4)];
    if (version.length < 4) return undefined;
    const [id, major, minor] = version;
    if (major === 1 && minor === 0 && (id === 0 || id === 3)) return undefined;
    if (id === 2) return "it wants TLS within AMQP, which is not supported: use a port with TLS from the start";
    return major === 0 || minor === 9
      ? `it speaks AMQP ${version.slice(1).join("-")}, as RabbitMQ does: use spring-rabbitmq, or the broker's plug-in for AMQP 1.0`
      : `it speaks version ${version.slice(1).join(".")} of AMQP, and not 1.0`;
  }
  // Size, the command WireFormatInfo (1), and the beginning of "ActiveMQ".
  if (head.length >= 6 && head[4] === 1 && text.slice(5) === "ActiveMQ".slice(0, text.length - 5))
    return `it speaks OpenWire, as the port 61616 of ActiveMQ does: name its AMQP port, 5672 by default (for example amqp://host:5672 in place of tcp://host:${port}), or add AMQP to the broker's transport connectors`;
  if (head.length < 6 && (head.length < 5 || head[4] === 1)) return undefined;
  if (head[0] === 0x15 || head[0] === 0x16) return "it speaks TLS: write tls in the connection, or amqps:// in the URL";
  if (text.startsWith("HTTP/")) return "it speaks HTTP, and not AMQP";
  return `it does not speak AMQP 1.0: its first bytes are ${head.toString("hex")}`;
}
