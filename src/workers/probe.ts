/** Tries a named connection: opens it, asks the server for its version, and closes it again. */
import type { ConnectionSettings, ProbeAnswer } from "../shared/connection.ts";
import type { Limits } from "../shared/limits.ts";
import type { ConnectorDefinition } from "./engine/connections/connection.ts";
import type { DatabaseLine } from "./engine/connections/database-line.ts";
import { closeClient, openWithin } from "./engine/connections/open-within.ts";
import { exceptionMessage } from "./engine/exception.ts";
import { wait } from "./engine/waiting.ts";

/** Never rejects. */
export async function probe(
  settings: ConnectionSettings,
  connectors: ReadonlyMap<string, ConnectorDefinition>,
  limits: Limits,
  database: DatabaseLine,
): Promise<ProbeAnswer> {
  const over = new AbortController();
  try {
    const connector = connectors.get(settings.kind);
    if (connector === undefined) return { failure: `this runtime has no driver for the kind '${settings.kind}'` };
    await connector.driver.load();
    const { driver } = connector.driver.module();
    const began = performance.now();
    const client = await openWithin(driver, settings, limits, {
      lost: (error) => over.abort(error),
      database,
      session: {},
    });
    const opened = performance.now();
    try {
      const late = wait(limits.outboundHeadersMs, over.signal).then(() => {
        throw new Error(`the server did not say its version within ${limits.outboundHeadersMs} ms`);
      });
      const found = await Promise.race([driver.probe(client), late]);
      return { ...found, connectMs: opened - began, latencyMs: performance.now() - opened };
    } finally {
      over.abort();
      await closeClient(driver, client);
    }
  } catch (error) {
    return { failure: exceptionMessage(error) };
  }
}
