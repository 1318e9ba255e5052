/** A server that speaks MySQL's protocol, and sends its clients to the address at which clouds keep their metadata. */
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";
import mysql from "mysql2";

const place = "169.254.169.254";

export async function startRedirectingMysql(): Promise<{ readonly port: number; close(): void }> {
  const server = mysql.createServer((connection) => {
    connection.on("error", () => {});
    connection.serverHandshake({
      protocolVersion: 10,
      serverVersion: "8.4.0",
      connectionId: 1,
      statusFlags: 2,
      characterSet: 45,
      capabilityFlags: 0xff_f7_ff,
      // The form in which servers announce another one (Azure Database for MySQL).
      authCallback() {
        const wire = wireOf(connection);
        wire.stream.write(okPacket(2, `Location: mysql://${place}:3306/user=u&ttl=60\n`));
        wire.sequenceId = 0;
      },
    });
    const refuse = () => connection.writeError({ code: 1105, message: `as decided: go to ${place}` });
    for (const event of ["query", "stmt_prepare", "stmt_execute"]) connection.on(event, refuse);
  });
  const { _server: listening } = server.listen(0) as unknown as { readonly _server: Server };
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    close() {
      for (const connection of server.connections) wireOf(connection).stream.destroy();
      listening.close();
    },
  };
}

/** The parts of a connection that the library's types leave out. */
function wireOf(connection: unknown): { readonly stream: Socket; sequenceId: number } {
  return connection as { readonly stream: Socket; sequenceId: number };
}

/** OK with a message, which the library leaves out. */
function okPacket(sequence: number, message: string): Buffer {
  const payload = Buffer.concat([Buffer.from([0, 0, 0, 2, 0, 0, 0]), Buffer.from(message)]);
  return Buffer.concat([Buffer.from([payload.length, 0, 0, sequence]), payload]);
}
