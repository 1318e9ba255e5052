/** The boot load: what stands in nobody's way, in which order names are claimed, what changes wait for. */
import assert from "node:assert/strict";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { holdThreads, lateCheckThread, lateFlowThread } from "../support/hold-threads.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";
import { assertError } from "./api/calls.ts";

const ready = async (app: TestApp): Promise<number> => (await fetch(`${app.url}/_api/health?probe=ready`)).status;

async function errorsOf(app: TestApp): Promise<Readonly<Record<string, string | undefined>>> {
  const list = (await (await app.api("/flows")).json()) as { id: string; state: string; error?: string }[];
  return Object.fromEntries(list.map(({ id, state, error }) => [id, error ?? state]));
}

/** Flows that need their threads at once, since a clock begins runs in them. */
function clocks(count: number): Readonly<Record<string, string>> {
  const clock = (i: number): string =>
    `${answering(`r${i}`, `stored ${i}`)}- route:\n    id: t${i}\n    from:\n      uri: timer:t?delay=1h\n      steps:\n        - log: x\n`;
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.yaml`, clock(i)]));
}

function files(count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}.yaml`, answering(`r${i}`, `stored ${i}`)]));
}

test("a flow's thread that does not come up holds up no other flow; ready is when it has", async (t) => {
  const held = holdThreads(1);
  const limits = { threadBootMs: 60_000 };
  const app = await startTestApp(t, { files: clocks(3), early: true, threadEntry: lateFlowThread, limits });
  const statuses = async (): Promise<readonly number[]> =>
    (await Promise.all([0, 1, 2].map(async (i) => (await app.post(`/api/r${i}`)).status))).toSorted();
  await eventually(async () => (await statuses()).join() === "200,200,503", "the two others serve", 30_000);
  await assertError(await fetch(`${app.url}/_api/health?probe=ready`), 503, "not_ready");
  assert.equal((await fetch(`${app.url}/_api/health?probe=ready`, { method: "HEAD" })).status, 503);
  for (const query of ["", "?probe=live"])
    assert.equal((await fetch(`${app.url}/_api/health${query}`)).status, 200, query);
  held.letGo();
  await app.app.loaded;
  assert.deepEqual(await statuses(), [200, 200, 200]);
  assert.equal(await ready(app), 200);
});

test("flows whose threads never come up are Failed after a while, and the boot is over", async (t) => {
  const held = holdThreads(1000);
  const limits = { threadBootMs: 100 };
  const app = await startTestApp(t, { files: clocks(3), threadEntry: lateFlowThread, limits });
  assert.equal(await ready(app), 200);
  for (const error of Object.values(await errorsOf(app))) assert.match(error ?? "", /log/);
  assert.ok(app.logs.some(({ message }) => message.includes("did not boot within 100 ms")));
  const open = (await (await fetch(`${app.url}/_api/health`)).json()) as { status: string };
  assert.equal(open.status, "DEGRADED");
  held.letGo();
});

test("a check thread that never comes up ends the check, and gives its place to the next", async (t) => {
  const held = holdThreads(1000);
  const app = await startTestApp(t, {
    files: { "f.yaml": answering("r", "here") },
    checkEntry: lateCheckThread,
    limits: { checkMs: 1000, threadBootMs: 4000 },
  });
  assert.equal(await ready(app), 200);
  assert.match((await errorsOf(app))["f"] ?? "", /checking took longer than 1000 ms/);
  // As many as there may be threads, and all of them held.
  const places = Array.from({ length: availableParallelism() }, (_, i) => app.put(`f${i}`, answering(`r${i}`, "x")));
  assert.deepEqual([...new Set((await Promise.all(places)).map(({ status }) => status))], [422]);
  // They are not let go: they have to be ended.
  holdThreads(0);
  await eventually(
    async () => (await app.api("/flows/f/reload", { method: "POST" })).status === 200,
    "a new thread",
    240_000,
  );
  assert.equal(await (await app.post("/api/r")).text(), "here");
  held.letGo();
});

test("a PUT and a DELETE during the boot load come after it, in their order", async (t) => {
  const app = await startTestApp(t, { files: files(5), early: true });
  const [deleted, replaced, again] = await Promise.all([
    app.api("/flows/f1", { method: "DELETE" }),
    app.put("f2", answering("r2", "put")),
    app.api("/flows/f3/stop", { method: "POST" }),
  ]);
  assert.deepEqual([deleted.status, replaced.status, again.status], [200, 200, 200]);
  await app.app.loaded;
  assert.equal((await app.post("/api/r1")).status, 404);
  assert.equal(await (await app.post("/api/r2")).text(), "put");
  assert.equal((await app.post("/api/r3")).status, 503);
  assert.equal(await (await app.post("/api/r4")).text(), "stored 4");
  await app.close();
  const second = await startTestApp(t, { directory: app.directory });
  assert.equal((await second.post("/api/r1")).status, 404);
  assert.equal(await (await second.post("/api/r2")).text(), "put");
  assert.equal((await second.post("/api/r3")).status, 503);
});
