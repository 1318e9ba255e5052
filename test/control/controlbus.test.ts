/** Routes that are started, suspended and stopped one by one by routes of their own flow (Camel: ControlBusProducer). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, quiet } from "../support/clock.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { direct, webhook } from "../support/flows.ts";
import { httpRoute, says } from "../support/platform-http.ts";
import { modelOf } from "../support/run-route.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { upTo, watch } from "../support/watch-stream.ts";

const target = "controlbus:route?routeId=${header.of}&action=${header.do}";
/** A webhook that does with a route what the caller says, and answers with the route's state after that. */
const panel = webhook(
  "panel",
  `toD: "${target}"`,
  'toD: "controlbus:route?routeId=${header.of}&action=status"',
  'log: "${body}"',
);

function ticking(options = ""): string {
  return `- route:\n    id: tick\n    from:\n      uri: timer:t?period=10&delay=0&includeMetadata=true${options}\n      steps:\n        - log: "beat \${exchangeProperty.CamelTimerCounter}"\n`;
}

async function press(app: TestApp, of: string, does: string): Promise<string> {
  const answer = await app.post("/api/panel", "none", { of, do: does });
  assert.equal(answer.status, 200);
  return answer.text();
}

interface Told {
  readonly routes: readonly { readonly id: string; readonly status: string }[];
}

/** What health and the flow's own answer say of the route. */
async function statuses(app: TestApp, routeId: string, flow = "f"): Promise<readonly (string | undefined)[]> {
  const told = await Promise.all(["/health", `/flows/${flow}`].map(async (path) => (await app.api(path)).json()));
  return (told as Told[]).map(({ routes }) => routes.find(({ id }) => id === routeId)?.status);
}

const beats = (app: TestApp): number[] =>
  app.logs.flatMap(({ message }) => (message.startsWith("beat ") ? [Number(message.slice(5))] : []));

/** So many periods that a clock that ticks would have ticked. */
async function someTime(): Promise<void> {
  await quiet(100);
}

async function failureOf(app: TestApp, answer: Response): Promise<{ readonly type: string; readonly message: string }> {
  const run = await (await app.api(`/runs/${answer.headers.get("x-run-id")}`)).json();
  return (run as { error: { type: string; message: string } }).error;
}

test("a webhook stops and starts the timer of its flow, and health, the flow and the log tell the states", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", panel + ticking());
  const reader = await watch(t, app, "/logs/stream");
  await eventually(() => beats(app).length > 1, "beats");
  assert.deepEqual(await statuses(app, "tick"), ["Started", "Started"]);
  assert.equal(await press(app, "tick", "stop"), "Stopped");
  assert.deepEqual(await statuses(app, "tick"), ["Stopped", "Stopped"]);
  const before = await eventually(async () => {
    const count = beats(app).length;
    await someTime();
    return beats(app).length === count ? beats(app) : undefined;
  }, "the timer rests");
  assert.equal(await press(app, "tick", "start"), "Started");
  // A timer that was stopped counts anew (Camel: TimerConsumer's task is made at its start).
  await eventually(() => beats(app)[before.length] === 1, "the timer begins anew");
  const lines = await upTo<{ message: string; routeId?: string }>(reader, "log", ({ message }) =>
    message.includes("'tick' is Started"),
  );
  assert.ok(lines.some(({ message, routeId }) => message === "route 'tick' is Stopped" && routeId === "tick"));
});

test("a suspended timer begins no runs and goes on counting where it was", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", panel + ticking());
  await eventually(() => beats(app).length > 1, "beats");
  assert.equal(await press(app, "tick", "suspend"), "Suspended");
  assert.deepEqual(await statuses(app, "tick"), ["Stopped", "Stopped"]);
  const before = await eventually(async () => {
    const count = beats(app).length;
    await someTime();
    return beats(app).length === count ? beats(app) : undefined;
  }, "the timer rests");
  const skipped = async (): Promise<string | undefined> =>
    /ticks_skipped_total\{flow="f"\} \d+/.exec(await (await app.api("/metrics")).text())?.[0];
  const skippedBefore = await skipped();
  await someTime();
  assert.equal(await skipped(), skippedBefore);
  assert.equal(await press(app, "tick", "resume"), "Started");
  await eventually(() => beats(app).length > before.length, "beats again");
  assert.equal(beats(app)[before.length], (before.at(-1) ?? 0) + 1);
});

test("each action leads to its state from every state, as in Camel", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", panel + direct("d", "d", "log: x"));
  const seen: string[] = [];
  const actions =
    "suspend suspend start suspend stop resume suspend start stop stop suspend resume start restart status";
  for (const action of actions.split(" ")) seen.push(await press(app, "d", action));
  assert.deepEqual(
    seen.join(" "),
    "Suspended Suspended Started Suspended Stopped Started Suspended Started Stopped Stopped Suspended Started Started Started Started",
  );
});

test("a webhook that stops itself still answers; the next call is 503 until the flow is started or deployed", async (t) => {
  const app = await startTestApp(t);
  const flow = (text: string): string =>
    webhook("once", "to: controlbus:route?routeId=current&action=stop", `setBody: { constant: ${text} }`) +
    httpRoute("path", "/once", "to: controlbus:route?routeId=current&action=suspend", says(text)) +
    webhook("other", 'setBody: { constant: "here" }');
  await app.put("f", flow("done"));
  for (const path of ["/api/once", "/once"]) {
    const answer = await app.post(path, "x");
    assert.deepEqual([answer.status, await answer.text()], [200, "done"]);
    const next = await app.post(path, "x");
    assert.deepEqual(
      [next.status, next.headers.get("x-error-code"), next.headers.get("retry-after")],
      [503, "route_stopped", "30"],
    );
  }
  assert.equal((await app.post("/api/other", "x")).status, 200);
  assert.deepEqual(await statuses(app, "path"), ["Stopped", "Stopped"]);
  assert.equal((await app.api("/flows/f/start", { method: "POST" })).status, 200);
  assert.deepEqual(await statuses(app, "path"), ["Started", "Started"]);
  assert.equal((await app.post("/api/once", "x")).status, 200);
  // The same text again changes nothing; a new one begins with what autoStartup says.
  await app.put("f", flow("done"));
  assert.equal((await app.post("/api/once", "x")).status, 503);
  await app.put("f", flow("anew"));
  assert.equal(await (await app.post("/api/once", "x")).text(), "anew");
});

test("a stopped direct route cannot be called, from its flow or another, until it is started", async (t) => {
  const app = await startTestApp(t, { limits: { threads: 2 } });
  const patient = "to: direct:d?failIfNoConsumers=false";
  const yaml =
    panel + webhook("inside", "to: direct:d") + webhook("patient", patient) + direct("d", "d", says("called"));
  await app.put("f", yaml);
  await app.put("g", webhook("outside", "to: direct:d"));
  const calls = async (): Promise<Response[]> =>
    Promise.all(["inside", "inside", "inside", "outside"].map((name) => app.post(`/api/${name}`, "x")));
  for (const answer of await calls()) assert.equal(await answer.text(), "called");
  assert.equal(await press(app, "d", "suspend"), "Suspended");
  for (const answer of await calls()) {
    assert.equal(answer.status, 500);
    assert.match((await failureOf(app, answer)).type, /DirectConsumerNotAvailableException$/);
  }
  const ignored = await app.post("/api/patient", "x");
  assert.equal(ignored.status, 200);
  assert.equal(await press(app, "d", "start"), "Started");
  for (const answer of await calls()) assert.equal(await answer.text(), "called");
});

test("a thread that comes later knows which routes are stopped", async () => {
  const { pools, limits } = makePools({ idleMs: 1 });
  const model = modelOf(webhook("w", "to: direct:d") + direct("d", "d", "log: x"));
  const pool = await deployFlow(pools, { model, limits, record: "errors" });
  pool.serve("10");
  await eventually(() => pool.threads === 0, "the flow's thread is released", 60_000);
  const run = anInvocation("a");
  pool.invoke(run.invocation);
  assert.match(JSON.stringify(await run.ended), /route 'd', which consumes 'direct:d', is stopped or suspended/);
  await pool.drain(0);
  await pools.close();
});

test("a route that does not start by itself is started by another one", async (t) => {
  const app = await startTestApp(t);
  const asleep = direct("d", "d", says("awake")).replace("    from:", "    autoStartup: false\n    from:");
  await app.put("f", panel + webhook("calls", "to: direct:d") + asleep);
  const answer = await app.post("/api/calls", "x");
  assert.match((await failureOf(app, answer)).message, /route 'd', which consumes 'direct:d', is stopped or suspended/);
  assert.equal(await press(app, "d", "start"), "Started");
  assert.equal(await (await app.post("/api/calls", "x")).text(), "awake");
});

test("a stopped queue keeps its messages, and a stopped directory its files, until the route is started", async (t) => {
  const app = await startTestApp(t);
  const takes = (routeId: string, uri: string): string =>
    direct(routeId, "x", `log: "\${body}"`).replace("direct:x", `"${uri}"`);
  const taken = (routeId: string): string[] =>
    app.logs.flatMap(({ message, logger }) => (logger === routeId ? [message] : []));
  const flow = [
    panel,
    webhook("send", "to: seda:q?waitForTaskToComplete=Never", 'to: "file:in?fileName=${body}"'),
    takes("queue", "seda:q"),
    takes("files", "file:in?initialDelay=0&delay=10&delete=true"),
  ];
  await app.put("f", flow.join(""));
  assert.equal((await app.post("/api/send", "1")).status, 200);
  for (const routeId of ["queue", "files"]) {
    await eventually(() => taken(routeId).length === 1, `${routeId} takes the first`);
    assert.equal(await press(app, routeId, "stop"), "Stopped");
  }
  assert.equal((await app.post("/api/send", "2")).status, 200);
  await someTime();
  for (const routeId of ["queue", "files"]) {
    assert.deepEqual(taken(routeId), ["1"]);
    assert.equal(await press(app, routeId, "start"), "Started");
    await eventually(() => taken(routeId).length === 2, `${routeId} takes the second`);
  }
});

test("a route that the flow does not have is refused, also when another flow has it", async (t) => {
  const app = await startTestApp(t);
  await app.put("other", webhook("theirs", 'setBody: { constant: "runs" }'));
  const refused = await app.put("f", webhook("mine", "to: controlbus:route?routeId=theirs&action=stop"));
  assert.equal(refused.status, 422);
  assert.match(
    await refused.text(),
    /f\.yaml:6:\d+: flow 'f' has no route 'theirs': a flow controls its own routes only/,
  );
  await app.put("f", panel);
  for (const name of ["theirs", "nobodys"]) {
    const answer = await app.post("/api/panel", "x", { of: name, do: "stop" });
    assert.equal(answer.status, 500);
    const { type, message } = await failureOf(app, answer);
    assert.equal(type, "java.lang.IllegalArgumentException");
    assert.ok(message.startsWith(`flow 'f' has no route '${name}'`), message);
  }
  assert.equal(await (await app.post("/api/theirs", "x")).text(), "runs");
});

test("what is not here of Camel's control bus is refused with what to write", async (t) => {
  const app = await startTestApp(t);
  const told = async (rest: string): Promise<string> =>
    (await app.put("f", webhook("r", `to: "controlbus:${rest}"`))).text();
  assert.match(await told("language:simple"), /write controlbus:route/);
  assert.match(await told("route?routeId=r&action=stats"), /GET \/_api\/metrics/);
  assert.match(await told("route?routeId=r&action=fail"), /write action=stop/);
  assert.match(await told("route?routeId=r"), /it needs 'action': one of start, stop/);
  assert.match(await told("route?action=stop"), /it needs 'routeId'/);
  assert.match(await told("route?routeId=r&action=stop&restartDelay=3000000000"), /at most 2147483647/);
});
