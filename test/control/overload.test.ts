/** A runtime that is short of memory takes nothing new, and everything that helps against it stays open. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ProcessMemory } from "../../src/control/runs/process-health.ts";
import { eventually } from "../support/clock.ts";
import { answering } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const ticking = "- route:\n    id: tick\n    from:\n      uri: timer:t?period=20\n      steps:\n        - log: x\n";

test("new runs and readers are refused, ticks are skipped; health and management go on", async (t) => {
  const app = await startTestApp(t, { limits: { processMemoryBytes: 1 } });
  await eventually(() => app.logs.some(({ message }) => message.includes("processMemoryBytes")), "it is told");
  assert.equal((await app.put("f", answering("r", "x"))).status, 201);
  assert.equal((await app.put("clock", ticking)).status, 201);

  const refused = await app.post("/api/r", "x");
  assert.deepEqual([refused.status, refused.headers.get("X-Error-Code")], [503, "overloaded"]);
  assert.equal(refused.headers.get("Retry-After"), "5");
  assert.equal((await app.post("/api/nobody")).status, 404);
  const stream = await app.api("/logs/stream");
  assert.deepEqual([stream.status, stream.headers.get("X-Error-Code")], [503, "overloaded"]);

  const metrics = async (): Promise<string> => (await app.api("/metrics")).text();
  const skipped = /^bulkhead_timer_ticks_skipped_total\{flow="clock"\} [1-9]/m;
  await eventually(async () => skipped.test(await metrics()), "ticks are skipped");
  assert.match(await metrics(), /^bulkhead_overloaded 1$/m);
  assert.deepEqual(await (await app.api("/runs?flowId=clock")).json(), []);

  const open = (await (await fetch(`${app.url}/_api/health`)).json()) as Record<string, unknown>;
  assert.deepEqual([open.status, open.problems], ["DEGRADED", undefined]);
  const { problems } = (await (await app.api("/health")).json()) as { problems: { code: string; message: string }[] };
  assert.ok(
    problems.some(({ code }) => code === "overloaded"),
    JSON.stringify(problems),
  );
  assert.equal((await app.api("/flows/f", { method: "DELETE" })).status, 200);
  const told = app.logs.filter(({ message }) => message.includes("processMemoryBytes"));
  assert.equal(told.length, 1);
});

test("it is over when there is room again, and each change is told once", () => {
  const told: (readonly [over: boolean, bytes: number])[] = [];
  const memory: ProcessMemory = new ProcessMemory(1000, (over) => told.push([over, memory.used]));
  memory.stop();
  for (const bytes of [900, 1001, 1500, 990, 951, 949, 1000]) memory.look(bytes);
  assert.deepEqual(told, [
    [true, 1001],
    [false, 949],
  ]);
  memory.refuse();
  memory.look(1001);
  assert.throws(() => memory.refuse(), { code: "overloaded" });
});

test("no limit is higher than four fifths of the machine's memory", () => {
  const memory = new ProcessMemory(Number.MAX_SAFE_INTEGER, () => {});
  memory.stop();
  assert.ok(memory.most < 2 ** 46 && memory.most > 2 ** 26, `${memory.most}`);
});
