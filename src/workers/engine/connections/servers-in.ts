/** Servers that an endpoint names itself: `server1:5672, server2`. */
import type { ConnectionServer } from "../../../shared/connection.ts";
import { readServer } from "../../../shared/connections/servers.ts";

/** `usual`: the port of a server without one. Throws an Error that says what to write, such as `example`. */
export function serversIn(text: string, example: string, usual: number): readonly ConnectionServer[] {
  // A secret's place in a flow that is only checked is an address.
  const parts = text.replaceAll("http://secret.invalid", "secret.invalid").split(",");
  return parts.map((part) => {
    const server = readServer(part.trim());
    if (typeof server === "string")
      throw new Error(`'${part.trim().slice(0, 60)}': ${server.replace("db.example.org:5432", example)}`);
    return { host: server.host, port: server.port || usual };
  });
}
