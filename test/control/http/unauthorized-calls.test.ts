/** Calls of the management API that are not let in are in the log, with what was wrong, few of them, and without what was sent. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestApp, token } from "../../support/start-app.ts";

test("the log says what was wrong with a call's credentials, once for many calls, and never shows them", async (t) => {
  const app = await startTestApp(t);
  const call = async (headers: Readonly<Record<string, string>>): Promise<void> => {
    const answer = await fetch(`${app.url}/_api/flows?secret=1`, { headers });
    assert.deepEqual(
      [answer.status, await answer.text(), answer.headers.get("www-authenticate")],
      [401, '{"error":"unauthorized"}', 'Bearer realm="bulkhead"'],
    );
  };
  const said = (): string[] =>
    app.logs
      .filter(({ message }) => message.includes("unauthorized"))
      .map(({ level, message }) => `${level} ${message}`);
  for (let times = 0; times < 5; times++) {
    await call({});
    await call({ Authorization: "Basic c2hvcDpoaWRkZW4=" });
    await call({ Authorization: `Bearer ${token}x` });
  }
  const start = "WARN a call of the management API was refused as unauthorized: ";
  const end = " (GET /_api/flows from 127.0.0.1)";
  assert.deepEqual(said(), [
    `${start}it has no Authorization header; send 'Authorization: Bearer' and the token${end}`,
    `${start}its Authorization header has another scheme than 'Bearer'${end}`,
    `${start}its token is not the one of SERVICE_DEPLOY_TOKEN${end}`,
  ]);
  await app.close();
  assert.equal(said().filter((line) => line.endsWith("(4 more since)")).length, 3);
  const all = JSON.stringify(app.logs);
  for (const secret of ["c2hvcDpoaWRkZW4", `${token}x`, "secret=1"]) assert.ok(!all.includes(secret), secret);
});
