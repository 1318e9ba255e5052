/** A component that consumes, added from outside: it writes a source, and has what every other component has. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { RunDocument } from "../../src/control/runs/run-document.ts";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { heldStep } from "../support/held-step.ts";
import { type LineServer, startLineServer } from "../support/line-server.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../support/start-app.ts";

const threadEntry = new URL("../support/lines/flow-worker.ts", import.meta.url);
const checkEntry = new URL("../support/lines/check-worker.ts", import.meta.url);
const patience = 60_000;

interface Consuming {
  readonly app: TestApp;
  readonly server: LineServer;
}

async function consuming(
  t: TestContext,
  options: TestAppOptions = {},
  allow = (address: string): string => `lines/${address}`,
): Promise<Consuming> {
  const server = await startLineServer(t);
  const app = await startTestApp(t, {
    threadEntry,
    checkEntry,
    ...options,
    egressAllow: [allow(server.address), options.egressAllow ?? ""].join(),
  });
  return { app, server };
}

function route(uri: string, ...steps: readonly string[]): string {
  return `- route:\n    id: taker\n    from:\n      uri: ${uri}\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

async function deploy({ app }: Consuming, yaml: string): Promise<void> {
  const answer = await app.put("f", yaml);
  assert.ok(answer.ok, await answer.text());
}

const heard = ({ server }: Consuming, line: string): Promise<unknown> =>
  eventually(() => server.heard.includes(line), `the server hears '${line}' (${server.heard})`, patience);

async function runs({ app }: Consuming): Promise<readonly RunDocument[]> {
  return (await (await app.api("/runs?routeId=taker")).json()) as RunDocument[];
}

test("each message is a run of its route, and its server hears whether it was done or failed", async (t) => {
  const all = await consuming(t);
  const { app, server } = all;
  const fails = `throwException: { exceptionType: java.lang.IllegalStateException, message: "no" }`;
  await deploy(
    all,
    route(
      `lines:${server.address}`,
      `choice: { when: [{ simple: "\${body} == 'bad'", steps: [{ ${fails} }] }] }`,
      'log: "got ${header.LineId} ${body}"',
    ),
  );
  server.send("1 good", "2 bad again", "3 better");
  await heard(all, "done 3");
  const { consumers } = (await (await app.api("/flows/f")).json()) as { consumers: Record<string, unknown>[] };
  const { done, failed, redelivered, underWay, overdue } = consumers[0] ?? {};
  const counted = { done: 2, failed: 1, redelivered: 1, underWay: 0, overdue: 0 };
  assert.deepEqual({ done, failed, redelivered, underWay, overdue }, counted);
  const metrics = await (await app.api("/metrics")).text();
  assert.match(metrics, /bulkhead_consumer_redelivered_total\{flow="f",route="taker",scheme="lines"\} 1/);
  assert.match(metrics, /bulkhead_consumer_overdue\{flow="f",route="taker",scheme="lines"\} 0/);
  assert.deepEqual(
    server.heard.filter((line) => /^(done|failed)/.test(line)),
    ["done 1", "failed 2", "done 3"],
  );
  // The thread answers its server without control, which hears of the runs by itself.
  const logged = (text: string): boolean => app.logs.some(({ message }) => message === text);
  await eventually(() => logged("got 1 good") && logged("got 3 better"), "both are logged", patience);
  const ended = async () => {
    const documents = await runs(all);
    return documents.length === 3 && documents.every(({ status }) => status !== "running") ? documents : undefined;
  };
  const documents = await eventually(ended, "all three runs have ended", patience);
  assert.deepEqual(
    documents.map(({ trigger, status }) => [trigger, status]),
    ["completed", "failed", "completed"].map((status) => [{ kind: "lines", uri: `lines:${server.address}` }, status]),
  );
});

test("the run of a message that has a trace is in it, with the runs that it causes", async (t) => {
  const all = await consuming(t);
  const inner = "- route:\n    id: tapped\n    from: { uri: direct:tapped, steps: [{ log: x }] }\n";
  await deploy(all, route(`lines:${all.server.address}`, "wireTap: direct:tapped") + inner);
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  all.server.send(`1 traced 00-${traceId}-b7ad6b7169203331-01`, "2 untraced");
  await heard(all, "done 2");
  const documents = await eventually(async () => {
    const found = (await (await all.app.api("/runs")).json()) as RunDocument[];
    return found.length === 4 ? found : undefined;
  }, "four runs");
  const traced = documents.filter((run) => run.traceId === traceId);
  assert.equal(traced.length, 2);
  for (const run of documents) assert.match(run.traceId, /^[0-9a-f]{32}$/);
});

test("as many messages are under way as it has credits", async (t) => {
  const held = await heldStep(t);
  const all = await consuming(t, { egressAllow: held.host });
  await deploy(all, route(`lines:${all.server.address}?credits=2`, held.step));
  all.server.send("1 a", "2 b", "3 c");
  await held.holds(2);
  assert.deepEqual(all.server.heard.slice(1), ["taken 1", "taken 2"]);
  held.letGo();
  await held.holds(1);
  held.letGo();
  await heard(all, "done 3");
});

test("it connects to nothing that no rule names with its port and for its scheme", async (t) => {
  for (const allow of [
    () => "",
    () => "127.0.0.1",
    (address: string) => `http/${address}`,
    (address: string) => `others/${address}`,
  ]) {
    const all = await consuming(t, {}, allow);
    await deploy(all, route(`lines:${all.server.address}`, 'log: "${body}"'));
    const refusal = await eventually(
      () => all.app.logs.find(({ logger }) => logger === "lines")?.message,
      "it is refused",
      patience,
    );
    assert.match(refusal, /127\.0\.0\.1:\d+ is not named.*EGRESS_ALLOW=lines\/127\.0\.0\.1:\d+/);
    assert.deepEqual(all.server.heard, []);
    await all.app.close();
  }
});

test("its options take secrets, which its server hears and nobody else", async (t) => {
  const all = await consuming(t, { secrets: { "f/PASSWORD": "kept-from-all" } });
  await deploy(all, route(`lines:${all.server.address}?password={{secret:PASSWORD}}`, 'log: "${body}"'));
  await heard(all, "HELLO kept-from-all");
  all.server.send("1 a");
  await heard(all, "done 1");
  const shown = [await runs(all), await (await all.app.api("/flows/f")).json(), all.app.logs];
  assert.equal(JSON.stringify(shown).includes("kept-from-all"), false);
  assert.ok(JSON.stringify(shown).includes("{{secret:PASSWORD}}"));
  const misplaced = await all.app.put("g", route(`lines:{{secret:PASSWORD}}`, 'log: "${body}"'));
  assert.equal(misplaced.status, 422);
});

test("an exclusive source takes turns: the next deployment connects when the one before has settled all and closed", async (t) => {
  const held = await heldStep(t);
  const all = await consuming(t, { egressAllow: held.host });
  const { server } = all;
  await deploy(all, route(`lines:${server.address}`, held.step));
  server.send("1 a");
  await held.holds(1);
  await deploy(all, route(`lines:${server.address}?password=second`, 'log: "second"'));
  assert.equal(server.connections, 1);
  held.letGo();
  await heard(all, "HELLO second");
  server.send("2 b");
  await heard(all, "done 2");
  assert.deepEqual(server.heard, ["HELLO none", "taken 1", "done 1", "closed", "HELLO second", "taken 2", "done 2"]);
});

test("a running source keeps its thread without state; a stopped one gives it back, and has it again at its start", async (t) => {
  const all = await consuming(t, { limits: { idleMs: 50 } });
  const { app, server } = all;
  const threads = async (): Promise<string | undefined> =>
    /^bulkhead_flow_threads(?:\{[^}]*\})? (\S+)$/m.exec(await (await app.api("/metrics")).text())?.[1];
  const panel = webhook("panel", 'toD: "controlbus:route?routeId=taker&action=${body}"');
  await deploy(all, route(`lines:${server.address}`, 'log: "${body}"') + panel);
  await heard(all, "HELLO none");
  assert.ok((await app.put("idle", answering("idle", "x"))).ok);
  await eventually(async () => (await threads()) === "1", "an idle flow gives its thread back", patience);
  server.send("1 a");
  await heard(all, "done 1");
  assert.equal(server.heard.filter((line) => line === "HELLO none").length, 1);
  await app.post("/api/panel", "stop");
  await heard(all, "closed");
  await eventually(async () => (await threads()) === "0", "the thread is given back", patience);
  await app.post("/api/panel", "start");
  server.send("2 b");
  await heard(all, "done 2");
});
