/** A connection to a database whose other end is gone without a word: what waits on it fails, no thread is lost, and the next use has another one. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { type PostgresStandIn, startPostgresStandIn } from "../../support/postgres-stand-in.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

async function started(t: TestContext): Promise<{ readonly app: TestApp; readonly server: PostgresStandIn }> {
  const server = await startPostgresStandIn(t);
  const app = await startTestApp(t, { limits: { outboundTotalMs: 500 } });
  const document = {
    kind: "postgres",
    servers: [`127.0.0.1:${server.port}`],
    database: "shop",
    username: "shop",
    flows: ["*"],
  };
  const headers = { "Content-Type": "application/json" };
  const put = await app.api("/connections/shop", { method: "PUT", headers, body: JSON.stringify(document) });
  assert.equal(put.status, 201, await put.text());
  return { app, server };
}

async function restarts(app: TestApp): Promise<number> {
  const { usage } = (await (await app.api("/flows/f")).json()) as { usage: { restarts: number } };
  return usage.restarts;
}

const statement = '{ to: "sql:select 1?dataSource=#shop" }';
const stream =
  '{ to: "sql:select 1?dataSource=#shop&outputType=StreamList" }, { split: { simple: "${body}", streaming: true, steps: [{ log: x }] } }';

for (const [what, steps] of [
  ["a statement", statement],
  ["a statement of a transaction", `{ transacted: { steps: [${statement}, { log: between }, ${statement}] } }`],
  ["rows that are read on their way", stream],
] as const)
  for (const how of ["freeze", "cut"] as const)
    test(`${what} on a connection that is ${how === "cut" ? "cut" : "half-open"} fails in its time, and the next one has another connection`, async (t) => {
      const { app, server } = await started(t);
      const put = await app.put(
        "f",
        `- route: { id: f, from: { uri: webhook, steps: [${steps}, { setBody: { constant: done } }] } }\n`,
      );
      assert.equal(put.status, 201, await put.text());
      const call = async (): Promise<number> => (await app.post("/api/f", "x")).status;
      await eventually(async () => (await call()) === 200, "a call that is well");
      const before = server.opened;
      server[how]();
      // A cut is noticed at once, so that even the first run may have another connection.
      if (how === "freeze") assert.equal(await call(), 500);
      await eventually(async () => (await call()) === 200, "a call on another connection");
      assert.ok(server.opened > before);
      assert.equal(await restarts(app), 0);
    });

for (const transacted of [false, true])
  test(`a consumer on a half-open connection fails its poll, names that, and polls on another one${transacted ? " (transacted)" : ""}`, async (t) => {
    const { app, server } = await started(t);
    const options = `dataSource=#shop&delay=10&initialDelay=0&deliveryKey=id&transacted=${transacted}&onConsume=delete from jobs where id = :#id`;
    const put = await app.put(
      "f",
      `- route: { id: f, from: { uri: "sql:select id from jobs?${options}", steps: [{ log: x }] } }\n`,
    );
    assert.equal(put.status, 201, await put.text());
    const consumer = async () => {
      const { consumers } = (await (await app.api("/flows/f")).json()) as {
        consumers: { polls: number; pollFailures: number; failingSince: string | null }[];
      };
      return consumers[0];
    };
    await eventually(async () => ((await consumer())?.polls ?? 0) > 1, "polls");
    const before = server.opened;
    server.freeze();
    await eventually(async () => ((await consumer())?.pollFailures ?? 0) > 0, "a poll that fails");
    const { polls = 0 } = (await consumer()) ?? {};
    await eventually(async () => ((await consumer())?.polls ?? 0) > polls + 1, "polls go on");
    // A machine that is busy may make another poll late.
    await eventually(async () => (await consumer())?.failingSince === null, "polls succeed");
    assert.ok(server.opened > before);
    assert.equal(await restarts(app), 0);
  });
