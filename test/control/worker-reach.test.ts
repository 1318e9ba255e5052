/**
 * What a thread of a flow can get at, tried from inside of one. Flows contain no code, and what runs them is not meant to
 * try any of this: the rows are for what nobody meant. docs/security.md tells the same in prose.
 */
import assert from "node:assert/strict";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering, webhook } from "../support/flows.ts";
import { listen } from "../support/heard.ts";
import type { ReachOrder } from "../support/reaching-worker.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../support/start-app.ts";

const reaching = new URL("../support/reaching-worker.ts", import.meta.url);
/** A coverage run lets threads read the project and write their report. */
const { BULKHEAD_COVERAGE_DIR: coverage } = process.env;
const workingDirectory = ["read the working directory", "list the working directory"];
const skipped = coverage === undefined ? [] : workingDirectory;

const denied = [
  "read a system file",
  "read another flow",
  "list the data directory",
  ...(coverage === undefined ? workingDirectory : []),
  "read through a promise",
  "read a blob",
  "read /proc/self/environ",
  "read /proc/<pid>/environ",
  "read /proc/thread-self/environ",
  "climb out of /proc/thread-self",
  "list /proc/thread-self",
  "read a file below /proc/thread-self/root",
  "list /proc/thread-self/cwd",
  "open /proc/thread-self/mem",
  "read /proc/thread-self/status",
  "open /proc/self/mem",
  "read /proc/self/fd",
  "require a file",
  "import a file",
  "load an .env file",
  "watch a file",
  "write a file",
  "write its own code",
  "make a directory",
  "link a file into its code",
  "write a heap snapshot",
  "write to standard output by descriptor",
  "write to standard error by descriptor",
  "stream to standard output by descriptor",
  "open standard output as a terminal",
  "write to a descriptor of the main thread",
  "read from a descriptor of the main thread",
  "close a descriptor of the main thread",
  "make a socket of a descriptor",
  "connect a socket of a descriptor",
  "start a process",
  "import child_process",
  "require child_process",
  "load child_process past the hooks",
  "start a thread",
  "start a thread without flags",
  "use an internal binding",
  "hook the module loader",
  "connect",
  "connect to a Unix socket",
  "ask another name server",
  "import net",
  "make a request",
  "be a server",
  "be a server by its class",
  "be an HTTP server",
  "be an HTTPS server",
  "make a request over HTTP/2",
  "be an HTTP/2 server",
  "send a datagram",
  "resolve a name",
  "resolve a name, promised",
  "see Piscina's ports",
  "signal the process",
  "signal the process from below",
  "set the main thread's priority",
  "set flags of V8",
  "make a context of V8",
  "make a context of V8 by import",
  "debug the process",
  "trace the process",
  "load sqlite",
  "load wasi",
  "post to the main thread",
];

const unsupported = [
  "become another program",
  "abort",
  "change the working directory",
  "change the user",
  "change the umask",
  "set FIPS mode",
];

/** What is left, and what it gives. */
const open: Readonly<Record<string, string>> = {
  "find out whether a path exists": '"/etc/passwd"',
  "read the runtime's code": "true",
  "know its number in the system": "true",
  "have the HTTP client loaded": "false",
  "use a descriptor of its own": "8",
  "read its environment": JSON.stringify(coverage === undefined ? {} : { NODE_V8_COVERAGE: coverage }),
  "read a variable of the process": "null",
  "read its arguments": "2",
  "set a title": "undefined",
  "load the test runner": '"function"',
  "post on the thread's own port": "undefined",
  "post on a broadcast channel": "undefined",
  "share data with later threads": "undefined",
  "emit a signal": "false",
  "set the exit code": "undefined",
  "ask what it may": "false",
  "run code from text": "1",
  "import code from a URL": "1",
  "tell the time exactly": '"bigint"',
  "know the machine": "true",
  "know the memory of the process": "true",
  "turn on source maps": "undefined",
  // Removed from the thread.
  fetch: '"undefined"',
  "open a web socket": '"undefined"',
  "read the report": '"undefined"',
  "write a report": "TypeError: Cannot read properties of undefined (reading 'writeReport')",
  "set a compile cache": "undefined",
  "collect garbage": '"undefined"',
  "load an addon": "ERR_DLOPEN_DISABLED",
};

const expected: Readonly<Record<string, string>> = {
  ...open,
  ...Object.fromEntries(denied.map((name) => [name, "ERR_ACCESS_DENIED"])),
  ...Object.fromEntries(unsupported.map((name) => [name, "ERR_WORKER_UNSUPPORTED_OPERATION"])),
};

/** A flow that calls out has besides: */
const networked: Readonly<Record<string, string>> = {
  "have the HTTP client loaded": "true",
  "import net": '"function"',
  "make a request": '"function"',
  "make a request over HTTP/2": '"function"',
  "be an HTTP/2 server": "undefined",
  "resolve a name": '"function"',
  "read its arguments": "3",
};

/** How whatever the threads here print begins, if it comes out unframed. */
const raw = /^(heard|raw output|line \d|much|too late|\(node)/;

/** Milliseconds; what is awaited here comes soon, unless the machine is busy with other things. */
const patience = 60_000;

const isolations = process.env.TEST_ISOLATION === "process" ? (["process"] as const) : (["thread", "process"] as const);

for (const isolation of isolations)
  test(`a flow's thread reaches what is listed, and nothing else: ${isolation}`, async (t) => {
    process.env.BULKHEAD_TEST_SECRET = "kept-in-the-parent";
    t.after(() => delete process.env.BULKHEAD_TEST_SECRET);
    const heard = listen(t, raw);
    const app = await reachingApp(t, { isolation });
    const { title } = process;
    // Of a host process it is told that its messages are packed, and not where coverage is written.
    const told = isolation === "process" ? { "read its arguments": "3", "read its environment": "{}" } : {};
    assert.deepEqual(await reached(t, app), sorted({ ...expected, ...told }));
    assert.equal(process.title, title);
    assert.equal(JSON.stringify(app.logs).includes("kept-in-the-parent"), false);
    assert.deepEqual(heard(), []);
    assert.equal((await app.post("/api/r", "still there")).status, 200);
  });

test("a flow that calls out has sockets, besides, that lead where its rules say, but can neither be a server nor take over a socket", async (t) => {
  const heard = listen(t, raw);
  const app = await reachingApp(t);
  assert.equal((await app.put("f", callingOut)).status, 200);
  assert.deepEqual(await reached(t, app), sorted({ ...expected, ...networked }));
  assert.deepEqual(heard(), []);
});

/** It would, if the body said so. */
const callingOut = webhook(
  "r",
  `choice: { when: [{ simple: "\${body} == 'call'", steps: [{ to: "http://h.example" }] }] }`,
);

/** What came of each attempt. */
async function reached(t: TestContext, app: TestApp): Promise<Record<string, string>> {
  const descriptor = openSync(join(app.routesDirectory, "f.yaml"), "r+");
  t.after(() => closeSync(descriptor));
  const order: ReachOrder = {
    routesFile: join(app.routesDirectory, "f.yaml"),
    dataDirectory: join(app.directory, "data"),
    descriptor,
  };
  assert.equal((await app.post("/api/r", JSON.stringify(order))).status, 200);
  await eventually(() => printed(app).includes("tried all"), "all attempts", patience);
  const found = printed(app).flatMap((line) => {
    const [, name = "", outcome = ""] = /^tried (.*?): (.*)$/s.exec(line) ?? [];
    return name === "" || skipped.includes(name) ? [] : [[name, outcome] as const];
  });
  return sorted(Object.fromEntries(found));
}

function sorted(outcomes: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(outcomes).sort());
}

test("what is printed in a flow's thread is log lines of the flow, cut, with secrets taken out, and never raw output", async (t) => {
  const heard = listen(t, raw);
  const app = await reachingApp(t);
  await app.post("/api/r", "print");
  await eventually(() => printed(app).some((line) => line.includes("emitWarning")), "the last of it", patience);
  const lines = app.logs.filter(({ logger }) => logger === "console");
  for (const { flowId, runId } of lines) assert.deepEqual([flowId, runId], ["f", undefined]);
  const text = lines.map(({ level, message }) => `${level} ${message}`).join("\n");
  for (const wanted of [
    "INFO heard: console.log 1",
    "'heard: console.table'",
    "heard: 'console.dir'",
    "WARN Assertion failed: heard: console.assert",
    "INFO heard: stdout.write",
    "INFO heard: prototype",
    "INFO heard: corked too",
    "WARN heard: stderr bytes",
    "INFO heard: stdout.end",
    "WARN heard: _rawDebug",
    "Warning: heard: emitWarning",
    'INFO heard: {"password": "***"}',
  ])
    assert.ok(text.includes(wanted), `${wanted}\nin\n${text}`);
  await app.post("/api/r", "print much");
  const much = await eventually(() => printed(app).find((line) => line.startsWith("much")), "the line", patience);
  assert.match(much, /^much much .*\.\.\. \(\d+ characters\)$/s);
  assert.ok(much.length < 16_500);
  assert.deepEqual(heard(), []);
});

test("a loop that prints fills nothing: what is read is logged, the rest is counted, and neighbours are answered", async (t) => {
  const heard = listen(t, raw);
  const app = await reachingApp(t, { limits: { eventCredits: 100 } });
  await app.put("good", answering("good", "x"));
  const [loud, neighbour] = await Promise.all([app.post("/api/r", "print in a loop"), app.post("/api/good")]);
  assert.deepEqual([loud.status, neighbour.status], [200, 200]);
  const count = async (): Promise<number> => {
    const metrics = await (await app.api("/metrics")).text();
    // On a busy machine the thread may have been replaced before it has counted.
    const dropped = metrics.matchAll(
      /events_dropped_total\{stream="log",reason="(?:producer_overrun|thread_ended)"\} (\d+)/g,
    );
    return dropped.reduce((sum, [, lines]) => sum + Number(lines), 0);
  };
  const all = async (): Promise<boolean> => (await count()) + printed(app).length === 20_000;
  await eventually(all, "every line is logged or counted", patience);
  assert.ok((await count()) > 0);
  assert.deepEqual(heard(), []);
});

test("a thread that fails outside of any run is replaced; the log says why, in short and without secrets", async (t) => {
  const heard = listen(t, raw);
  const app = await reachingApp(t);
  for (const [order, detail] of [
    ["reject later", /^a thread was killed \(exit\): too late, token=\*\*\*$/],
    ["throw later", /^a thread was killed \(exit\): x{500,4000}\.\.\.$/],
  ] as const) {
    assert.equal((await app.post("/api/r", order)).status, 200);
    await eventually(() => app.logs.some(({ message }) => detail.test(message)), order, patience);
    assert.equal((await app.post("/api/r", "again")).status, 200);
  }
  assert.deepEqual(heard(), []);
});

test("a thread that never leaves a turn of its loop is killed like any that is stuck", async (t) => {
  const app = await reachingApp(t, { limits: { cancelGraceMs: 100, webhookWallMs: 300 } });
  // The run is over before the loop begins, but its result leaves the thread at the end of the turn.
  assert.equal((await app.post("/api/r", "tick for ever")).status, 504);
  await eventually(async () => (await app.post("/api/r", "again")).status === 200, "another thread", patience);
});

async function reachingApp(t: TestContext, options: TestAppOptions = {}): Promise<TestApp> {
  // Its attempts are one turn of its loop, which takes long on a busy machine.
  const limits = { stuckLoopMs: 60_000, ...options.limits };
  const app = await startTestApp(t, { threadEntry: reaching, ...options, limits });
  assert.equal((await app.put("f", answering("r", "x"))).status, 201);
  return app;
}

function printed(app: TestApp): string[] {
  return app.logs.filter(({ logger }) => logger === "console").map(({ message }) => message);
}
