/** Connections with several servers. */
import type { ConnectionServer, ConnectionSettings } from "../../shared/connection.ts";

/** Tries the servers one after another. Rejects with the failure of the last one. */
export async function openOneOf<T>(
  { servers }: Pick<ConnectionSettings, "servers">,
  open: (server: ConnectionServer) => Promise<T>,
): Promise<T> {
  let failure: unknown;
  for (const server of servers) {
    try {
      return await open(server);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
