/** A runtime whose flows may ask servers over named connections (asking/asking.ts). */
import type { TestContext } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "./start-app.ts";

export function startAskingApp(t: TestContext, options: TestAppOptions = {}): Promise<TestApp> {
  return startTestApp(t, {
    threadEntry: new URL("./asking/flow-worker.ts", import.meta.url),
    checkEntry: new URL("./asking/check-worker.ts", import.meta.url),
    ...options,
  });
}

/** Sends a connection's document. */
export function putConnection(
  app: TestApp,
  name: string,
  document: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return app.api(`/connections/${name}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(document),
  });
}

/** A webhook that sends its body to an endpoint. */
export function asks(routeId: string, uri: string): string {
  return `- route: { id: ${routeId}, from: { uri: webhook, steps: [{ to: { id: ask, uri: "${uri}" } }] } }`;
}

export function document(port: number, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { kind: "postgres", servers: [`127.0.0.1:${port}`], database: "shop", username: "shop", ...more };
}

/** Returns the state of a connection. */
export async function stateOf(app: TestApp, name: string): Promise<Readonly<Record<string, unknown>>> {
  const { state } = (await (await app.api(`/connections/${name}`)).json()) as { state: Record<string, unknown> };
  return state;
}
