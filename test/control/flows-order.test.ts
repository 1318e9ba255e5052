/** Changes of one flow are made in the order in which their requests began to arrive (docs/api.md 3), with a body or without. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { answering } from "../support/flows.ts";
import { startTestApp, type TestApp, token } from "../support/start-app.ts";

/** Sends them at once on one connection, where their order is certain; gives the statuses. */
async function pipelined(app: TestApp, requests: readonly string[]): Promise<readonly number[]> {
  const socket = connect(Number(new URL(app.url).port), "127.0.0.1");
  socket.write(requests.join(""));
  let text = "";
  for await (const chunk of socket) {
    text += String(chunk);
    const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    if (statuses.length === requests.length) return statuses;
  }
  throw new Error(`the connection ended: ${text}`);
}

const bare = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

function withBody(line: string, type: string, body: string): string {
  const head = `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n`;
  return `${head}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const put = (text: string): string => withBody("PUT /_api/flows/f", "application/yaml", answering("r", text));

test("calls without a body do not overtake a PUT that came before them", async (t) => {
  const app = await startTestApp(t);
  const rollback = withBody("POST /_api/flows/f/rollback", "application/json", '{"revision":1}');
  const calls: readonly (readonly [call: string, status: number])[] = [
    [put("1"), 201],
    [bare("DELETE /_api/flows/f"), 200],
    [put("2"), 201],
    [bare("POST /_api/flows/f/stop"), 200],
    [rollback, 200],
    [bare("DELETE /_api/flows/f"), 200],
    [rollback, 201],
    [bare("POST /_api/flows/f/reload"), 200],
    [put("3"), 200],
    [bare("POST /_api/flows/f/stop"), 200],
    [bare("POST /_api/flows/f/start"), 200],
  ];
  assert.deepEqual(
    await pipelined(
      app,
      calls.map(([call]) => call),
    ),
    calls.map(([, status]) => status),
  );
  assert.equal(await (await app.post("/api/r")).text(), "3");
});

test("a DELETE waits for the body of a PUT whose head came before it", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "old"));
  const slow = request(`${app.url}/_api/flows/f`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml", Expect: "100-continue" },
  });
  const replaced = once(slow, "response");
  slow.flushHeaders();
  // The runtime has taken the head, and wants the body.
  await once(slow, "continue");
  const deleted = app.api("/flows/f", { method: "DELETE" });
  // Answered without a turn of its own; and the DELETE, sent before it, has come by then.
  await app.api("/flows/f");
  slow.end(answering("r", "new"));
  assert.equal((await replaced)[0].statusCode, 200);
  assert.equal((await deleted).status, 200);
  assert.deepEqual(await (await app.api("/flows")).json(), []);
});

test("a change that is refused or cut off before its turn holds nobody up", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", answering("r", "old"));
  const cut = request(`${app.url}/_api/flows/f`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/yaml", Expect: "100-continue" },
  });
  cut.on("error", () => {});
  cut.flushHeaders();
  await once(cut, "continue");
  const statuses = pipelined(app, [
    withBody("PUT /_api/flows/f", "application/json", "{"),
    withBody("PUT /_api/flows/f?drainMs=x", "application/yaml", "x"),
    withBody("PUT /_api/flows/f", "text/plain", "x"),
    put("new"),
  ]);
  cut.destroy();
  assert.deepEqual(await statuses, [400, 400, 415, 200]);
  assert.equal(await (await app.post("/api/r")).text(), "new");
});
