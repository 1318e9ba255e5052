/** A test session on the flow `orders`, and requests that carry it. */
import { setTimeout as sleep } from "node:timers/promises";
import { token } from "./server-process.ts";

export interface Session {
  readonly sessionId: string;
}

export async function openSession(
  url: string,
  scope: string,
  mock: Readonly<Record<string, unknown>>,
): Promise<Session> {
  return asked(`${url}/_api/test/session`, "POST", { flowId: "orders", scope, mocks: [mock] });
}

export async function closeSession(
  url: string,
  { sessionId }: Session,
): Promise<{ readonly callCounts: Readonly<Record<string, number>> }> {
  return asked(`${url}/_api/test/session/${sessionId}?waitMs=10000`, "DELETE");
}

async function asked<T>(url: string, method: string, body?: unknown): Promise<T> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** A few requests a second with the session's header, each of which its mock has to answer. */
export class OwnRequests {
  #stopped = false;
  readonly #all: Promise<{ readonly sent: number; readonly unexpected: number }>;

  constructor(url: string, session: Session, body: string) {
    this.#all = this.#ask(`${url}/api/orders`, session, body);
  }

  stop(): Promise<{ readonly sent: number; readonly unexpected: number }> {
    this.#stopped = true;
    return this.#all;
  }

  async #ask(url: string, { sessionId }: Session, body: string): Promise<{ sent: number; unexpected: number }> {
    const headers = { "X-Test-Session": sessionId, "Content-Type": "application/json" };
    let sent = 0;
    let unexpected = 0;
    while (!this.#stopped) {
      const response = await fetch(url, { method: "POST", headers, body });
      sent += 1;
      if ((await response.text()) !== "mock") unexpected += 1;
      await sleep(200);
    }
    return { sent, unexpected };
  }
}
