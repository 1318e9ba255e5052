/** A broker of MQTT 5 that refuses its clients, and names another server to them. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};

export async function startMovedBroker(): Promise<{ readonly port: number; close(): void }> {
  // A reason string, and a server reference.
  const properties = Buffer.concat([
    ...[Buffer.from([0x1f]), text("as decided")],
    ...[Buffer.from([0x1c]), text("169.254.169.254:1883")],
  ]);
  const moved = 0x9d;
  const rest = Buffer.concat([Buffer.from([0, moved, properties.length]), properties]);
  const connack = Buffer.concat([Buffer.from([0x20, rest.length]), rest]);
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(connack));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
