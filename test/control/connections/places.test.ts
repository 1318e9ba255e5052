/** The places of a connection: how many are open over all flows, who gives way to whom, and what becomes of lost ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startAskServer } from "../../support/ask-server.ts";
import { eventually } from "../../support/clock.ts";
import { asks, document, putConnection, startAskingApp, stateOf } from "../../support/connections.ts";

test("maxConnections holds over all flows, those that wait are served in turn, and idle ones are given up for them", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port, { maxConnections: 2 }));
  for (const id of ["a", "b", "c"]) assert.equal((await app.put(id, asks(id, "asking:#shop"))).status, 201);
  server.holds = true;
  const answers = ["a", "b", "c", "a", "b"].map((id) => app.post(`/api/${id}`, id));
  await eventually(() => server.held === 2, "two questions arrive");
  await eventually(async () => (await stateOf(app, "shop")).waiting === 3, "three runs wait");
  assert.equal((await stateOf(app, "shop")).open, 2);
  server.answer();
  const texts = await Promise.all(answers.map(async (answer) => (await answer).text()));
  assert.deepEqual(texts, ["answer to a", "answer to b", "answer to c", "answer to a", "answer to b"]);
  assert.equal(server.most, 2);
  const { waiting, errors, open } = await stateOf(app, "shop");
  assert.deepEqual({ waiting, errors }, { waiting: 0, errors: 0 });
  assert.ok(Number(open) <= 2);
});

test("runs that have a connection and wait for a second one cannot lock the pool: the last of them gives way", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, { limits: { webhookWallMs: 20_000 } });
  await putConnection(app, "shop", document(server.port, { maxConnections: 2 }));
  for (const id of ["a", "b"]) await app.put(id, asks(id, "asking:#shop?together=2"));
  server.holds = true;
  const answers = ["a", "b"].map((id) => app.post(`/api/${id}`, id));
  await eventually(() => server.held === 2, "both runs have a connection");
  server.answer();
  const ended = await Promise.all(answers.map(async (answer) => (await answer).status));
  assert.deepEqual([...ended].sort(), [200, 500]);
  const failed = ended[0] === 500 ? "a" : "b";
  const runs = (await (await app.api(`/runs?flowId=${failed}`)).json()) as {
    error: { type: string; message: string };
  }[];
  assert.equal(runs[0]?.error.type, "LimitExceededException");
  assert.match(
    String(runs[0]?.error.message),
    /waits for a connection of 'shop' and has 1 of 'shop' open; all 2 of them belong to runs that wait/,
  );
  // The pool is not locked, and nothing is left of it.
  const again = await app.post(`/api/${failed}`, "again");
  assert.equal(await again.text(), "answer to again");
  assert.equal((await stateOf(app, "shop")).waiting, 0);
});

test("a connection that is not used is closed, and one that is lost is replaced", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, { limits: { connectionIdleMs: 100 } });
  await putConnection(app, "shop", document(server.port));
  await app.put("a", asks("a", "asking:#shop"));
  await app.post("/api/a", "x");
  await eventually(() => server.open === 0, "the idle connection is closed");
  await eventually(async () => (await stateOf(app, "shop")).open === 0, "its place is free");
  assert.equal((await stateOf(app, "shop")).errors, 0);
  server.holds = true;
  const waiting = app.post("/api/a", "y");
  await eventually(() => server.held === 1, "the question arrives");
  server.drop();
  assert.equal((await waiting).status, 500);
  server.holds = false;
  assert.equal(await (await app.post("/api/a", "z")).text(), "answer to z");
  const { errors, status, lastError } = await stateOf(app, "shop");
  assert.deepEqual({ errors, status }, { errors: 1, status: "ok" });
  assert.match(String((lastError as { message: string }).message), /the server closed the connection/);
});

test("a server that cannot be reached is reported, tried again with growing pauses, and found when it is back", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, { limits: { connectionRetryMs: 200 } });
  await putConnection(app, "shop", document(server.port));
  await app.put("a", asks("a", "asking:#shop"));
  await server.close();
  const runs = await Promise.all(Array.from({ length: 5 }, () => app.post("/api/a", "x")));
  assert.deepEqual(
    runs.map(({ status }) => status),
    [500, 500, 500, 500, 500],
  );
  const { status, open } = await stateOf(app, "shop");
  assert.deepEqual({ status, open }, { status: "failing", open: 0 });
  const health = (await (await app.api("/health")).json()) as {
    status: string;
    problems: { code: string; message: string }[];
  };
  const problem = health.problems.find(({ code }) => code === "connection_failing");
  assert.match(String(problem?.message), /the connection 'shop' cannot be opened since .*ECONNREFUSED/);
  assert.equal(health.status, "UP");
  const strict = (await (await app.api("/health?failing=degraded")).json()) as { status: string };
  assert.equal(strict.status, "DEGRADED");
  assert.match(
    await (await app.api("/metrics")).text(),
    /bulkhead_connection_failing\{connection="shop",kind="postgres",flow=""\} 1/,
  );
  await server.listen();
  await eventually(async () => (await app.post("/api/a", "x")).status === 200, "it is open again");
  assert.equal((await stateOf(app, "shop")).status, "ok");
  const lines = app.logs.filter(({ message }) => message.includes("the connection 'shop'")).map(({ level }) => level);
  assert.deepEqual(lines, ["WARN", "INFO"]);
});

test("a flow that is removed while it has a connection gives its place back", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t);
  await putConnection(app, "shop", document(server.port, { maxConnections: 1 }));
  for (const id of ["a", "b"]) await app.put(id, asks(id, "asking:#shop"));
  server.holds = true;
  const lost = app.post("/api/a", "x");
  await eventually(() => server.held === 1, "the question arrives");
  const waiting = app.post("/api/b", "y");
  await eventually(async () => (await stateOf(app, "shop")).waiting === 1, "the other flow waits");
  server.holds = false;
  await app.api("/flows/a?drainMs=0", { method: "DELETE" });
  assert.equal(await (await waiting).text(), "answer to y");
  assert.equal((await lost).status, 503);
});

test("flows in host processes share the places, too", async (t) => {
  const server = await startAskServer(t);
  const app = await startAskingApp(t, { isolation: "process" });
  await putConnection(app, "shop", document(server.port, { maxConnections: 1 }));
  for (const id of ["a", "b"]) assert.equal((await app.put(id, asks(id, "asking:#shop"))).status, 201);
  for (const id of ["a", "b", "a"]) assert.equal(await (await app.post(`/api/${id}`, id)).text(), `answer to ${id}`);
  assert.equal(server.most, 1);
});
