/** How consumers are: what health, the flow's document and the metrics report of routes whose messages come from a source. */
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { FlowConsumer } from "../../../src/control/runs/metrics.ts";
import { countedSources } from "../../../src/shared/figures.ts";
import { eventually } from "../../support/clock.ts";
import { closedPort } from "../../support/closed-port.ts";
import { consumingRoute, filesOf } from "../../support/flow-files.ts";
import { startTestApp, type TestApp } from "../../support/start-app.ts";

interface Health {
  readonly status: string;
  readonly consumers: readonly FlowConsumer[];
  readonly problems: readonly { readonly code: string; readonly message: string; readonly routeId?: string }[];
}

async function healthOf(app: TestApp, query = ""): Promise<Health> {
  return (await (await app.api(`/health${query}`)).json()) as Health;
}

async function consumer(app: TestApp, routeId: string): Promise<FlowConsumer> {
  const found = (await healthOf(app)).consumers.find((one) => one.routeId === routeId);
  assert.ok(found, `${routeId} is among the consumers`);
  return found;
}

async function metric(app: TestApp, name: string, labels: string): Promise<number> {
  const text = await (await app.api("/metrics")).text();
  const line = text.split("\n").find((one) => one.startsWith(`${name}{`) && one.includes(labels));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}

const poll = "autoCreate=false&directoryMustExist=true&initialDelay=0&delay=20";

test("a folder that cannot be read: the consumer backs off and is a problem with its cause; when it is there, the consumer goes on and its files are counted", async (t) => {
  const app = await startTestApp(t);
  const files = filesOf(app, "f");
  const step = `choice: { when: [{ simple: "\${body} == 'bad'", steps: [{ throwException: { exceptionType: java.lang.Exception, message: no } }] }] }`;
  await files.deploy(consumingRoute("inbox", `file:inbox?${poll}`, step));
  await eventually(async () => (await consumer(app, "inbox")).attempts > 2, "it has polled three times in vain");
  const failing = await consumer(app, "inbox");
  assert.equal(failing.state, "backing_off");
  assert.equal(failing.scheme, "file");
  assert.match(failing.lastError?.message ?? "", /Directory does not exist: inbox/);
  assert.ok(
    failing.failingSince !== null && failing.lastPoll !== null && failing.lastPoll >= failing.failingSince.slice(0, 19),
  );
  assert.ok(failing.pollFailures > 2);
  assert.equal(failing.backlog, null);
  const { status, problems } = await healthOf(app);
  assert.equal(status, "UP");
  const [problem] = problems.filter(({ code }) => code === "consumer_failing");
  assert.match(
    problem?.message ?? "",
    /route 'inbox' cannot poll since .* \(\d+ attempts\): .*Directory does not exist/,
  );
  assert.equal((await healthOf(app, "?failing=degraded")).status, "DEGRADED");
  assert.equal(await metric(app, "bulkhead_consumer_failing", 'flow="f",route="inbox",scheme="file"'), 1);
  assert.ok((await metric(app, "bulkhead_consumer_poll_failures_total", 'route="inbox"')) > 2);

  await files.write("inbox/a.txt", "good");
  await files.write("inbox/b.txt", "bad");
  await eventually(async () => {
    const { done, failed } = await consumer(app, "inbox");
    return done > 0 && failed > 0;
  }, "both files are counted");
  await rm(join(files.directory, "inbox/b.txt"), { force: true });
  await eventually(async () => {
    const { backlog, failingSince } = await consumer(app, "inbox");
    return backlog === 0 && failingSince === null;
  }, "none waits, and it is known that it polls again");
  const well = await consumer(app, "inbox");
  assert.equal(well.attempts, 0);
  assert.equal(well.done, 1);
  assert.match(well.lastError?.message ?? "", /Directory does not exist/, "the last error is still known");
  assert.deepEqual(
    (await healthOf(app)).problems.filter(({ code }) => code === "consumer_failing"),
    [],
  );
  assert.equal(
    (await healthOf(app, "?failing=degraded")).status === "DEGRADED",
    (await healthOf(app)).problems.some(({ code }) => code === "failing_route"),
  );
  assert.equal(await metric(app, "bulkhead_consumer_failing", 'route="inbox"'), 0);
  assert.equal(await metric(app, "bulkhead_consumer_messages_total", 'route="inbox",scheme="file",outcome="done"'), 1);
  const lines = app.logs.filter(({ logger }) => logger === "file").map(({ message }) => message);
  assert.match(lines[0] ?? "", /'inbox' cannot poll: files cannot be looked for/);
  assert.equal(lines[1], "'inbox' can poll again");
});

test("a database that is not there: the flow's document has the consumer, with its next poll; a stopped flow's consumer is stopped and no problem", async (t) => {
  const app = await startTestApp(t);
  const document = {
    kind: "postgres",
    servers: [`127.0.0.1:${closedPort}`],
    database: "d",
    username: "u",
    flows: ["*"],
  };
  const headers = { "Content-Type": "application/json" };
  assert.equal(
    (await app.api("/connections/db", { method: "PUT", headers, body: JSON.stringify(document) })).status,
    201,
  );
  const uri = "sql:select id from jobs?dataSource=#db&initialDelay=0&delay=5000&deliveryKey=id";
  const deployed = await app.put("jobs", `- route: { id: take, from: { uri: "${uri}", steps: [{ log: x }] } }\n`);
  assert.equal(deployed.status, 201, await deployed.text());
  const own = async (): Promise<FlowConsumer | undefined> =>
    ((await (await app.api("/flows/jobs")).json()) as { readonly consumers: FlowConsumer[] }).consumers[0];
  // Before its first poll it has a next one, too.
  await eventually(async () => (await own())?.lastError != null, "its first poll has failed");
  const failing = await own();
  assert.equal(failing?.state, "backing_off");
  assert.match(failing?.lastError?.message ?? "", /ECONNREFUSED/);
  assert.ok((failing?.nextPoll ?? "") > (failing?.lastPoll ?? ""));
  const stopped = await app.api("/flows/jobs/stop", { method: "POST" });
  assert.equal(stopped.status, 200, JSON.stringify([await stopped.text(), app.logs.at(-1)]));
  await eventually(async () => (await own())?.state === "stopped", "it is stopped");
  assert.deepEqual(
    (await healthOf(app)).problems.filter(({ code }) => code === "consumer_failing"),
    [],
  );
});

test("a queue in memory: messages that wait for its consumer are its backlog, and one is under way", async (t) => {
  const app = await startTestApp(t);
  const yaml = `- route: { id: in, from: { uri: webhook, steps: [{ to: "seda:work?waitForTaskToComplete=Never" }] } }
- route: { id: work, from: { uri: "seda:work", steps: [{ delay: { constant: 60000 } }] } }
`;
  assert.equal((await app.put("queue", yaml)).status, 201);
  await eventually(async () => (await consumer(app, "work")).state === "waiting", "the consumer has begun");
  assert.equal((await consumer(app, "work")).lastMessageAt, null);
  for (const body of ["1", "2", "3"]) assert.equal((await app.post("/api/in", body)).status, 200);
  await eventually(async () => (await consumer(app, "work")).backlog === 2, "two wait");
  const { state, underWay, polls, lastPoll, lastMessageAt } = await consumer(app, "work");
  assert.deepEqual([state, underWay, polls, lastPoll], ["running", 1, 0, null]);
  assert.match(lastMessageAt ?? "", /^2\d{3}-/);
  assert.equal(await metric(app, "bulkhead_consumer_under_way", 'route="work"'), 1);
  assert.equal(await metric(app, "bulkhead_consumer_backlog", 'route="work"'), 2);
});

test("a consumer beyond those that have figures: its state is not known, and a failure of its polls is", async (t) => {
  const app = await startTestApp(t);
  const queue = (i: number): string => `- route: { id: q${i}, from: { uri: "seda:q${i}", steps: [{ log: x }] } }\n`;
  const yaml = Array.from({ length: countedSources + 1 }, (_, i) => queue(i)).join("");
  const folder = `- route: { id: inbox, from: { uri: "file:inbox?${poll}", steps: [{ log: x }] } }\n`;
  assert.equal((await app.put("many", yaml + folder)).status, 201);
  await eventually(async () => (await consumer(app, "q0")).state === "waiting", "the first has begun");
  assert.equal((await consumer(app, `q${countedSources}`)).state, "unknown");
  await eventually(async () => (await consumer(app, "inbox")).state === "backing_off", "the failure is reported");
  assert.match((await consumer(app, "inbox")).lastError?.message ?? "", /Directory does not exist: inbox/);
});
