/** What every error of the management API has in common. */
import assert from "node:assert/strict";

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
