/** Opens connections to embedded databases. */
import type { ConnectionDriver } from "../../engine/connections/connection.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import { connectFailure } from "../sql-failure.ts";
import { EmbeddedClient } from "./client.ts";

export const driver: ConnectionDriver<EmbeddedClient> = {
  async open({ name }, { signal, database, lost }) {
    const client = new EmbeddedClient(database);
    let opened = false;
    database.onLost((error) => {
      if (opened) lost(error);
    });
    try {
      await client.hello(signal);
      opened = true;
      return client;
    } catch (error) {
      throw connectFailure(`${name}: ${exceptionMessage(error)}`, error);
    }
  },
  close() {
    // Control closes it with its place.
  },
  async probe(client) {
    return { serverVersion: `SQLite ${await client.hello(undefined)}`, tls: null };
  },
};
