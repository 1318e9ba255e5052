/** Flows with paths of their own, and requests to them. */
import type { TestContext } from "node:test";
import { startTestApp, type TestApp, type TestAppOptions } from "./start-app.ts";

/** A route behind `platform-http:<rest>` with these steps, in YAML's flow style, one per line. */
export function httpRoute(routeId: string, rest: string, ...steps: readonly string[]): string {
  return `- route:\n    id: ${routeId}\n    from:\n      uri: "platform-http:${rest}"\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

/** A step that answers with this template. */
export function says(template: string): string {
  return `setBody: { simple: '${template}' }`;
}

export interface HttpTestApp extends TestApp {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  send(method: string, path: string, body?: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** A POST of these bytes with this Content-Type. */
  sendBytes(path: string, bytes: Uint8Array, type: string): Promise<Response>;
  /** Status and text of a GET. */
  text(path: string): Promise<string>;
}

/** A runtime with one flow `f`. */
export async function withFlow(t: TestContext, yaml: string, options: TestAppOptions = {}): Promise<HttpTestApp> {
  const app = await startTestApp(t, options);
  const answer = await app.put("f", yaml);
  if (answer.status !== 201) throw new Error(await answer.text());
  const send = (method: string, path: string, body?: string, headers = {}): Promise<Response> =>
    fetch(`${app.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
  return {
    ...app,
    send,
    sendBytes: (path, bytes, type) =>
      fetch(`${app.url}${path}`, { method: "POST", headers: { "Content-Type": type }, body: new Uint8Array(bytes) }),
    get: (path, headers = {}) => send("GET", path, undefined, headers),
    async text(path) {
      const { status, ...rest } = await send("GET", path).then(async (a) => ({
        status: a.status,
        text: await a.text(),
      }));
      return `${status} ${rest.text}`;
    },
  };
}
