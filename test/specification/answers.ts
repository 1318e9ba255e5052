/** What the specification says of every error: a JSON object with one field, `error`, a string. */
import assert from "node:assert/strict";

/** Returns the message. */
export async function errorOf(answer: Response, status: number): Promise<string> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/json\b/);
  const body: unknown = JSON.parse(text);
  assert.ok(typeof body === "object" && body !== null && "error" in body, text);
  assert.deepEqual(Object.keys(body), ["error"]);
  assert.ok(typeof body.error === "string" && body.error !== "", text);
  return body.error;
}

/** Exactly `{"error":"unauthorized"}`. */
export async function assertUnauthorized(answer: Response): Promise<void> {
  assert.deepEqual([answer.status, await answer.text()], [401, '{"error":"unauthorized"}']);
}
