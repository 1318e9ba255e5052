/** Opens and closes clients, each within a time: a server may never answer. */
import type { ConnectionSettings } from "../../../shared/connection.ts";
import { howToRaise, type Limits } from "../../../shared/limits.ts";
import { FlowException } from "../exception.ts";
import { isUntrusted, trustByConnection } from "../net/trust.ts";
import type { ConnectionDriver, Opening } from "./connection.ts";

/** Rejects with what the driver rejects with, and with a FlowException after `limits.outboundConnectMs`. */
export async function openWithin<Client>(
  driver: ConnectionDriver<Client>,
  settings: ConnectionSettings,
  limits: Limits,
  { lost, database, session }: Omit<Opening, "signal" | "limits">,
): Promise<Client> {
  const { outboundConnectMs: ms } = limits;
  const late = new AbortController();
  const opening = driver.open(settings, { signal: late.signal, limits, lost, database, session });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const servers = settings.servers.map(({ host, port }) => `${host}:${port}`).join(", ");
      const message = `the connection '${settings.name}' was not open after ${ms} ms: ${servers} did not answer as a server of the kind ${settings.kind}. Check the address and the port; for a slow server ${howToRaise("outboundConnectMs")}`;
      const error = new FlowException("java.net.SocketTimeoutException", message);
      late.abort(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([opening, tooLate]);
  } catch (error) {
    // A client that comes after all has no user.
    if (late.signal.aborted) opening.then((client) => driver.close(client)).catch(() => {});
    if (error instanceof Error && isUntrusted(error.message)) error.message += trustByConnection;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const closeMs = 2000;

/** Resolves when the client is closed, and when that takes too long: its server has lost the connection then. Never rejects. */
export async function closeClient<Client>(driver: ConnectionDriver<Client>, client: Client): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, closeMs);
  });
  try {
    await Promise.race([driver.close(client), late]);
  } catch {
    // It is gone in any case.
  } finally {
    clearTimeout(timer);
  }
}
