/** Host processes that are given up, die of a flow, lie or do not read: what becomes of the other flows in them. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { answering } from "../../support/flows.ts";
import { hostsOf } from "../../support/host-processes.ts";
import { startTestApp, type TestApp, type TestAppOptions } from "../../support/start-app.ts";

const patience = 60_000;
const threadEntry = new URL("../../support/hostile-worker.ts", import.meta.url);

test("a thread in native code costs its process: other flows leave it first, and are not to blame", async (t) => {
  const { app } = await started(t, { limits: { cancelGraceMs: 3000, quarantineKills: 1 } });
  await app.put("a.bad", answering("bad", "x"), { limits: { webhookWallMs: 300 } });
  await app.put("a.good", answering("good", "x"), { limits: { webhookWallMs: 60_000 } });
  const lost = app.post("/api/good", "wait");
  assert.equal((await app.post("/api/bad", "native for long")).status, 504);
  await eventually(() => told(app, /process of 'a' is given up: a thread of it cannot be ended/), "given up", patience);
  await eventually(() => told(app, /process of 'a' is replaced/), "replaced", patience);
  assert.equal((await lost).status, 500);
  assert.deepEqual(await echoed(app, "good"), [200, "echo"]);
  assert.equal((await app.post("/api/bad", "echo")).status, 503);
});

test("of a process that dies the flow is to blame that was busy in it, not those that waited", async (t) => {
  const { app, hosts } = await started(t, { limits: { quarantineKills: 1, webhookWallMs: 60_000 } });
  await app.put("a.bad", answering("bad", "x"));
  await app.put("a.good", answering("good", "x"));
  const waits = app.post("/api/good", "wait");
  await eventually(async () => (await usageOf(app, "a.good")).inflight === 1, "it waits", patience);
  const lost = [waits, app.post("/api/bad", "stuck")];
  // Each sample of a thread reports more CPU time; the first one counts its boot.
  const looks = { "a.bad": new Set<number>(), "a.good": new Set<number>() };
  const lookedAt = async (): Promise<boolean> => {
    for (const id of ["a.bad", "a.good"] as const) looks[id].add((await usageOf(app, id)).cpuMs);
    return Math.min(looks["a.bad"].size, looks["a.good"].size) > 3;
  };
  await eventually(lookedAt, "it has been looked at", patience);
  process.kill(hosts()[0] as number, "SIGKILL");
  for (const answer of await Promise.all(lost)) assert.ok(answer.status === 500 || answer.status === 503);
  assert.deepEqual(await echoed(app, "good"), [200, "echo"]);
  assert.equal((await app.post("/api/bad", "echo")).status, 503);
});

test("a process that sends what cannot be read is ended, and nothing else; those that do not last are followed later", async (t) => {
  const hostEntry = new URL("../../support/lying-host-process.ts", import.meta.url);
  const { app, hosts } = await started(t, { hostEntry });
  await app.put("a", answering("a", "x"));
  const [lying] = hosts() as [number];
  await app.put("b", answering("b", "x"));
  const other = hosts().filter((pid) => pid !== lying);
  process.kill(lying, "SIGUSR2");
  await eventually(
    () => told(app, /process of 'a' is replaced: .*cannot be read: a frame of 4294967295/),
    "told",
    patience,
  );
  assert.deepEqual(await echoed(app, "a"), [200, "echo"]);
  assert.deepEqual(await echoed(app, "b"), [200, "echo"]);
  assert.ok(hosts().includes(other[0] as number));
  const killed = (): boolean => {
    for (const pid of hosts()) if (!other.includes(pid)) process.kill(pid, "SIGKILL");
    return told(app, /the next host process of 'a' is started in 1600 ms: 5 in a row did not last/);
  };
  await eventually(killed, "it waits", patience);
});

test("calls wait while their process does not read, and begin when it does", async (t) => {
  const { app, hosts } = await started(t, {
    limits: { hostSilentMs: 120_000, stuckLoopMs: 60_000, webhookWallMs: 120_000 },
  });
  await app.put("f", answering("f", "x"));
  const [pid] = hosts() as [number];
  process.kill(pid, "SIGSTOP");
  const body = "x".repeat(2 ** 20);
  const calls = Array.from({ length: 16 }, () => app.post("/api/f", body));
  await eventually(async () => (await usageOf(app, "f")).queued > 0, "some of them wait", patience);
  process.kill(pid, "SIGCONT");
  for (const answer of await Promise.all(calls)) {
    const text = await answer.text();
    const why = (): string => app.logs.map(({ message }) => message).join("\n");
    if (answer.status !== 200) assert.fail(`${answer.status} ${text}\n${why()}`);
    assert.ok(text === body, `${text.length} characters`);
  }
});

async function started(t: TestContext, options: TestAppOptions): Promise<{ app: TestApp; hosts: () => number[] }> {
  const before = new Set(hostsOf());
  const app = await startTestApp(t, { isolation: "process", threadEntry, ...options });
  const hosts = (): number[] => hostsOf().filter((pid) => !before.has(pid));
  // A process that is stopped does not end when it is asked to.
  t.after(() => {
    for (const pid of hosts()) process.kill(pid, "SIGCONT");
  });
  return { app, hosts };
}

async function echoed(app: TestApp, route: string): Promise<readonly [number, string]> {
  const answer = await app.post(`/api/${route}`, "echo");
  return [answer.status, await answer.text()];
}

function told(app: TestApp, what: RegExp): boolean {
  return app.logs.some(({ message }) => what.test(message));
}

interface FlowUsage {
  readonly cpuMs: number;
  readonly inflight: number;
  readonly queued: number;
}

async function usageOf(app: TestApp, id: string): Promise<FlowUsage> {
  const { usage } = (await (await app.api(`/flows/${id}`)).json()) as { usage: FlowUsage };
  return usage;
}
