/** A broker of AMQP 1.0 that ends each connection and names another address, as the specification has it. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import rhea from "rhea";

export async function startSendingAway(): Promise<{ readonly port: number; close(): void }> {
  const container = rhea.create_container({ id: "sends-away" });
  container.sasl_server_mechanisms.enable_plain(() => true);
  container.on("error", () => {});
  container.on("disconnected", () => {});
  container.on("connection_open", ({ connection }) => {
    connection.close({
      condition: "amqp:connection:redirect",
      description: "as decided",
      info: { hostname: "metadata", "network-host": "169.254.169.254", port: 80 },
    });
  });
  const server = container.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
