/** Lists of servers as Camel writes them: `server1:5672, server2:5672`. */
import type { ConnectionServer } from "../../../shared/connection.ts";

/** Throws an Error for a text without a server. */
export function serversOf(addresses: string, port: number): readonly ConnectionServer[] {
  const parts = addresses
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (parts.length === 0) throw new Error("addresses has no server: write host:port");
  return parts.map((part) => {
    const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(part) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(digits ?? 1) > 65_535)
      throw new Error(`addresses has '${part.slice(0, 60)}', which is no server: write host:port`);
    return { host, port: Number(digits ?? port) };
  });
}
