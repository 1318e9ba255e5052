/** Threads that send nothing, or something else, where an answer is waited for: everything that waits has an end. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { ToControl } from "../../src/shared/frames-to-control.ts";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { watch } from "../support/watch-stream.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
const silent = new URL("../support/silent-worker.ts", import.meta.url);
const stuck = new URL("../support/stuck-worker.ts", import.meta.url);
const long = 600_000;

async function stateOf(app: TestApp): Promise<string | undefined> {
  return ((await (await app.api("/flows")).json()) as { state: string }[])[0]?.state;
}

for (const [what, threadEntry] of Object.entries({ silent, stuck })) {
  test(`a ${what} thread fails the deployment that waits for its boot, and the next ones find a place`, async (t) => {
    const app = await startTestApp(t, { threadEntry, limits: { threadBootMs: 100, checkMs: 60_000 } });
    const limits = [{}, { threads: 3 }, { threads: 3 }, { workerMemoryBytes: 600_000_000 }];
    const puts = await Promise.all(limits.map((one, i) => app.put(`f${i}`, answering(`r${i}`, "x"), { limits: one })));
    assert.deepEqual(
      puts.map(({ status }) => status),
      [500, 500, 500, 500],
    );
    assert.ok(app.logs.some(({ message }) => message.includes("did not boot within 100 ms")));
  });
}

const { hello } = ToControl;
const notHello = /first message is not its hello/;
for (const [what, [message, problem]] of Object.entries({
  "no list": ['"hello"', notHello],
  "another frame": [`[${ToControl.finished}]`, notHello],
  "a hello without a field": [`[${hello}, threadId]`, notHello],
  "a hello with a frame behind it": [`[${hello}, threadId, 0, ${ToControl.finished}]`, notHello],
  "a hello with its number as a text": [`[${hello}, "1", 0]`, /threadId of 'hello' is a whole number/],
  "a hello with half an id of the system": [`[${hello}, threadId, 0.5]`, /systemId of 'hello' is a whole number/],
  "a hello of a thread that does not exist": [`[${hello}, 1e6, 0]`, /a thread ended while it booted/],
} as const)) {
  test(`a thread whose first message is ${what} does not boot, and the log says why`, async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "bulkhead-hello-"));
    t.after(() => rm(directory, { recursive: true }));
    const file = join(directory, "thread.mjs");
    await writeFile(
      file,
      `import { threadId } from "node:worker_threads";
      export const attach = ({ port }) => new Promise(() => port.on("message", () => {}).postMessage(${message}));`,
    );
    const app = await startTestApp(t, { threadEntry: pathToFileURL(file), limits: { checkMs: 60_000 } });
    assert.equal((await app.put("f", answering("r", "x"))).status, 500);
    assert.ok(app.logs.some((line) => problem.test(line.message)));
  });
}

test("a boot load whose threads are silent comes to its end, and then reports which flow cannot start", async (t) => {
  const files = { "f.yaml": answering("r", "x") };
  const app = await startTestApp(t, { threadEntry: silent, files, limits: { threadBootMs: 100 } });
  await eventually(async () => (await stateOf(app)) === "Failed", "its compilation behind the boot load has failed");
});

for (const limits of [{}, { threads: 2 }, { workerMemoryBytes: 600_000_000 }]) {
  test(`a shutdown ends a deployment with ${JSON.stringify(limits)} that waits for a silent thread`, async (t) => {
    const app = await startTestApp(t, { threadEntry: silent, limits: { threadBootMs: long } });
    const put = app.put("f", answering("r", "x"), { limits });
    // It has been checked when one that came after it has been.
    assert.equal((await app.put("later", "- nonsense")).status, 422);
    await app.close();
    assert.equal((await put).status, 503);
  });
}

test("a deployment whose thread does not compile in time is 503: nothing is wrong with the flow", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { compileMs: 1000, streamLingerMs: 1 } });
  // It compiles nothing while somebody watches.
  const reader = await watch(t, app, "/trace/stream");
  const put = await app.put("f", answering("r", "x"));
  assert.deepEqual(
    [put.status, put.headers.get("x-error-code"), put.headers.get("retry-after")],
    [503, "no_thread", "10"],
  );
  assert.match(
    await put.text(),
    /compiling the flow took longer than 1000 ms: try again when the machine is less busy/,
  );
  reader.drop();
  await eventually(async () => (await app.put("f", answering("r", "x"))).status === 201, "the same flow is deployed");
});

test("a shutdown ends a deployment whose thread does not compile its flow", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { compileMs: long } });
  // It compiles nothing while somebody watches.
  const reader = await watch(t, app, "/trace/stream");
  const put = app.put("f", answering("r", "x"));
  assert.equal((await app.put("later", "- nonsense")).status, 422);
  reader.drop();
  await app.close();
  assert.equal((await put).status, 503);
});

test("a shutdown ends a boot load that waits for a silent thread", async (t) => {
  const files = { "f.yaml": answering("r", "x") };
  const app = await startTestApp(t, { threadEntry: silent, files, early: true, limits: { threadBootMs: long } });
  await app.close();
});

for (const [lost, loseIt] of Object.entries({
  "went to rest": async (app: TestApp) => {
    await eventually(
      async () => /bulkhead_flow_threads\{[^}]*\} 0/.test(await (await app.api("/metrics")).text()),
      "the thread is released",
    );
  },
  "was killed": async (app: TestApp) => {
    assert.equal((await app.post("/api/r", "exit")).status, 500);
  },
})) {
  test(`a call whose flow's thread ${lost} is told when the next one does not compile in time`, async (t) => {
    const idleMs = lost === "was killed" ? long : 20;
    const app = await startTestApp(t, { threadEntry: hostile, limits: { idleMs, compileMs: 1000, streamLingerMs: 1 } });
    assert.equal((await app.put("f", answering("r", "x"))).status, 201);
    await loseIt(app);
    const reader = await watch(t, app, "/trace/stream");
    const told = await app.post("/api/r", "echo");
    assert.deepEqual([told.status, told.headers.get("x-error-code")], [500, "run_killed"]);
    assert.ok(app.logs.some(({ message }) => message.includes("compiling the flow took longer than 1000 ms")));
    reader.drop();
    await eventually(async () => (await app.post("/api/r", "echo")).status === 200, "it serves again");
  });
}

test("a flow that is deleted while a thread compiles it does not wait for the thread", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { idleMs: long, compileMs: long } });
  assert.equal((await app.put("f", answering("r", "x"))).status, 201);
  assert.equal((await app.post("/api/r", "exit")).status, 500);
  const reader = await watch(t, app, "/trace/stream");
  const call = app.post("/api/r", "echo");
  await eventually(
    async () => (await (await app.api("/metrics")).text()).includes('bulkhead_runs_queued{flow="f"} 1'),
    "it waits",
  );
  assert.equal((await app.api("/flows/f?drainMs=0", { method: "DELETE" })).status, 200);
  assert.equal((await call).status, 503);
  reader.drop();
});

test("a thread in native code, which nothing interrupts, holds up neither the report of its flow nor its end", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile, limits: { cancelGraceMs: 50 } });
  assert.equal((await app.put("f", answering("r", "x"))).status, 201);
  let over = false;
  const call = app.post("/api/r", "native").finally(() => {
    over = true;
  });
  await eventually(
    async () => ((await (await app.api("/runs?status=running")).json()) as unknown[]).length === 1,
    "the run began",
  );
  assert.equal((await app.api("/flows/f")).status, 200);
  assert.equal(over, false, "the report waited for the thread");
  assert.equal((await app.api("/flows/f?drainMs=0", { method: "DELETE" })).status, 200);
  assert.equal((await call).status, 503);
  assert.ok(app.logs.some(({ message }) => message.includes("cannot be ended")));
});
