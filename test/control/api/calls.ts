/** Calls of the management API, and what all its errors have in common. */
import assert from "node:assert/strict";
import type { TestApp } from "../../support/start-app.ts";

interface Sent {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a call with the token. `path` is below `/_api`; a body that is not a string is sent as JSON. */
export function send(app: TestApp, method: string, path: string, { body, headers }: Sent = {}): Promise<Response> {
  return app.api(path, {
    method,
    headers: { ...(body !== undefined && { "Content-Type": "application/json" }), ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** Returns the message. */
export async function assertError(response: Response, status: number, code?: string): Promise<string> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.ok(Buffer.byteLength(text) <= 1024);
  const body: unknown = JSON.parse(text);
  assert.ok(typeof body === "object" && body !== null && "error" in body && typeof body.error === "string", text);
  assert.deepEqual(Object.keys(body), ["error"]);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  assert.match(response.headers.get("x-request-id") ?? "", /^[\w.-]+$/);
  assert.equal(response.headers.get("cache-control"), "no-store");
  assert.equal(response.headers.get("x-content-type-options"), "nosniff");
  if (code !== undefined) assert.equal(response.headers.get("x-error-code"), code);
  return body.error;
}
