/**
 * What runs, sessions, streams and deployments have waited for is let go: in the runtime and in the threads of flows the promises do not
 * become more. The suite of connectors (test/servers/suite/cases/growth.ts) asks the same of each connector.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { queryObjects } from "node:v8";
import { eventually } from "../support/clock.ts";
import { startHttpServer } from "../support/http-server.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { closeSession, openSession } from "../support/test-sessions.ts";

type Count = () => number | Promise<number>;

/** Fails if the promises become more from the second round of deeds to the third by half of a promise for each. The first round has what is made once. */
async function assertFlat(what: string, act: () => Promise<unknown>, count: Count, perRound = 60): Promise<void> {
  const counts: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    for (let times = 0; times < perRound; times += 1) await act();
    counts.push(await count());
  }
  const [, second = 0, third = 0] = counts;
  assert.ok(third - second < perRound / 2, `${third - second} more promises after ${perRound} ${what}`);
}

/** It collects the garbage first. */
const ofRuntime = (): number => queryObjects(Promise, { format: "count" });

/** Counting holds this process up for seconds. A server would close connections meanwhile, and the next call would take one of them. */
const limits = { keepAliveMs: 600_000 };

/** A runtime whose flow threads can count their promises. */
function startCountingApp(t: TestContext, egressAllow = ""): Promise<TestApp> {
  return startTestApp(t, {
    limits,
    ...(egressAllow !== "" && { egressAllow }),
    threadEntry: new URL("../servers/suite/flow-worker.ts", import.meta.url),
    checkEntry: new URL("../servers/suite/check-worker.ts", import.meta.url),
  });
}

/** A thread of the suite is one that may connect, which the call that never happens makes it. */
const never = '{ filter: { simple: "${body} == 1", steps: [{ to: "http://x.invalid" }] } }';
const counting = `- route: { id: count, from: { uri: webhook, steps: [${never}, { to: count-promises }] } }\n`;

async function deploy(app: TestApp, id: string, yaml: string): Promise<void> {
  const put = await app.put(id, yaml);
  assert.ok(put.ok, await put.text());
}

async function ofThread(app: TestApp): Promise<number> {
  return Number(await (await app.post("/api/count")).text());
}

test("runs that call over HTTP, with a redelivery, a catch and parallel branches", async (t) => {
  const server = await startHttpServer(t, ({ url }, response) => {
    response.writeHead(url === "/no" ? 500 : 200, { connection: "close" }).end("x");
  });
  const app = await startCountingApp(t, server.host);
  const yes = `{ to: "${server.url}/yes" }`;
  const no = `{ to: "${server.url}/no" }`;
  const caught = `{ doTry: { steps: [${no}], doCatch: [{ exception: [java.lang.Exception], steps: [${yes}] }] } }`;
  const both = `{ multicast: { parallelProcessing: true, steps: [${yes}, ${yes}] } }`;
  const handler = `- onException: { exception: [java.lang.Exception], redeliveryPolicy: { maximumRedeliveries: 1, redeliveryDelay: 0 } }\n`;
  await deploy(
    app,
    "f",
    `${handler}- route: { id: calls, from: { uri: webhook, steps: [${yes}, ${both}, ${caught}] } }\n${counting}`,
  );
  const call = async (): Promise<void> => assert.equal((await app.post("/api/calls", "x")).status, 200);
  await assertFlat("runs in the thread", call, () => ofThread(app));
  await assertFlat("runs in the runtime", call, ofRuntime);
});

test("runs of a timer", async (t) => {
  const app = await startCountingApp(t);
  await deploy(
    app,
    "f",
    `- route: { id: ticks, from: { uri: "timer:t?period=10", steps: [{ log: tick }] } }\n${counting}`,
  );
  let seen = 0;
  const ran = async (): Promise<void> => {
    seen += 1;
    await eventually(() => app.logs.filter(({ message }) => message === "tick").length >= seen, "the next run");
  };
  await assertFlat("runs in the thread", ran, () => ofThread(app));
  await assertFlat("runs in the runtime", ran, ofRuntime);
});

test("test sessions and their mocks", async (t) => {
  const app = await startCountingApp(t);
  await deploy(
    app,
    "f",
    `- route: { id: r, from: { uri: "direct:r", steps: [{ to: { id: ask, uri: "http://x.invalid" } }] } }\n${counting}`,
  );
  const session = async (): Promise<void> => {
    const opened = await openSession(app, { flowId: "f", mocks: { ask: { respond: 1 } } });
    await closeSession(app, opened);
  };
  await assertFlat("sessions in the thread", session, () => ofThread(app));
  await assertFlat("sessions in the runtime", session, ofRuntime);
});

test("readers of streams that come and go", async (t) => {
  const app = await startTestApp(t, { limits });
  const metrics = async (): Promise<string> => (await app.api("/metrics")).text();
  const read = async (): Promise<void> => {
    await (await app.api("/trace/stream")).body?.cancel();
    const isGone = async (): Promise<boolean> =>
      /^bulkhead_stream_subscribers\{stream="trace"\} 0$/m.test(await metrics());
    await eventually(isGone, "the runtime has noticed that the reader is gone");
  };
  await assertFlat("readers", read, ofRuntime);
});

test("deployments, one after another", async (t) => {
  const app = await startTestApp(t, { limits });
  let version = 0;
  const put = async (): Promise<void> => {
    version += 1;
    await deploy(
      app,
      "f",
      `- route: { id: r, from: { uri: webhook, steps: [{ setBody: { constant: v${version} } }] } }`,
    );
  };
  await assertFlat("deployments", put, ofRuntime, 12);
});
