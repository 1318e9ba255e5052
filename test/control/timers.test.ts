/** Timers (docs/api.md 4): period, repeat count, overlap, what a replacement keeps. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { epochMs, eventually, quiet } from "../support/clock.ts";
import { webhook } from "../support/flows.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

function timer(options: string, ...steps: readonly string[]): string {
  return `- route:\n    id: t\n    from:\n      uri: timer:t?${options}\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

const beats = (app: TestApp, message = "beat"): number =>
  app.logs.filter((line) => line.message.startsWith(message)).length;

test("a timer runs its route so often as it says", async (t) => {
  const app = await startTestApp(t);
  await app.put(
    "f",
    timer("period=20&delay=0&repeatCount=3&includeMetadata=true", 'log: "beat ${exchangeProperty.CamelTimerCounter}"'),
  );
  await eventually(() => beats(app) === 3, "three beats");
  const runs = (await (await app.api("/runs?routeId=t")).json()) as { trigger: { kind: string } }[];
  assert.equal(runs.length, 3);
  assert.ok(runs.every(({ trigger }) => trigger.kind === "timer"));
  assert.deepEqual(
    app.logs.filter(({ logger }) => logger === "t").map(({ message }) => message),
    ["beat 1", "beat 2", "beat 3"],
  );
});

test("a replacement with the same timer keeps its count, another timer begins anew", async (t) => {
  const app = await startTestApp(t);
  const yaml = (text: string, period = 50): string =>
    timer(`period=${period}&delay=0&includeMetadata=true`, `log: "${text} \${exchangeProperty.CamelTimerCounter}"`);
  const numbers = (text: string): number[] =>
    app.logs.flatMap(({ message }) => (message.startsWith(text) ? [Number(message.slice(text.length))] : []));
  await app.put("f", yaml("old"));
  await eventually(() => beats(app, "old") > 0, "a beat of the old one");
  await app.put("f", yaml("new"));
  await eventually(() => beats(app, "new") > 1, "beats of the new one");
  await app.put("f", yaml("third", 60));
  await eventually(() => numbers("third").includes(1), "a first beat of another timer");
  const [old, replaced] = [numbers("old"), numbers("new")];
  assert.deepEqual(
    [...old, ...replaced],
    Array.from([...old, ...replaced], (_, index) => index + 1),
  );
});

test("a tick that finds the last one running is skipped", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", timer("period=10&delay=0&repeatCount=8", 'log: "beat"', "delay: { constant: 10000 }"));
  await eventually(() => beats(app) === 1, "the first beat");
  await quiet(150);
  assert.equal(beats(app), 1);
  const metrics = await (await app.api("/metrics")).text();
  assert.ok(Number(/^bulkhead_timer_ticks_skipped_total\{flow="f"\} (\d+)$/m.exec(metrics)?.[1]) > 1, metrics);
});

test("a stopped flow's timer rests", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", timer("period=10&delay=0", 'log: "beat"'));
  await eventually(() => beats(app) > 1, "beats");
  await app.api("/flows/f/stop", { method: "POST" });
  const runs = async (): Promise<number> =>
    ((await (await app.api("/runs?routeId=t&limit=500")).json()) as unknown[]).length;
  const before = await runs();
  await quiet(60);
  assert.equal(await runs(), before);
});

test("ticks that wait for the run before them keep their numbers, and are gone with their timer", async (t) => {
  const app = await startTestApp(t);
  const yaml = (ms: number): string =>
    timer(
      "period=10&delay=0&repeatCount=4&overlap=queue&includeMetadata=true",
      'log: "beat ${exchangeProperty.CamelTimerCounter}"',
      `delay: { constant: ${ms} }`,
    );
  await app.put("f", yaml(60));
  await eventually(() => beats(app) === 4, "four beats");
  assert.deepEqual(
    app.logs.filter(({ logger }) => logger === "t").map(({ message }) => message),
    ["beat 1", "beat 2", "beat 3", "beat 4"],
  );
  await app.api("/flows/f", { method: "DELETE" });
  await app.put("f", yaml(2000));
  await eventually(() => beats(app) === 5, "a fifth beat");
  const deleted = (await (await app.api("/flows/f?drainMs=5000", { method: "DELETE" })).json()) as { drained: number };
  assert.equal(deleted.drained, 1);
  assert.equal(beats(app), 5);
});

test("a fixed rate makes up for a few ticks after the loop was held, not for all of them", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", timer("period=10&delay=0&fixedRate=true&overlap=allow", 'log: "beat"'));
  await eventually(() => beats(app) > 0, "a beat");
  const before = beats(app);
  const until = epochMs() + 1000;
  while (epochMs() < until);
  const free = epochMs();
  await eventually(() => beats(app) > before, "a beat after that");
  await app.api("/flows/f/stop", { method: "POST" });
  const sinceFree = (epochMs() - free) / 10;
  assert.ok(beats(app) - before <= sinceFree + 15, `${beats(app) - before} beats, ${sinceFree} periods`);
});

test("a timer does not tick into a quarantine", async (t) => {
  const hostile = new URL("../support/hostile-worker.ts", import.meta.url);
  const app = await startTestApp(t, { threadEntry: hostile, limits: { quarantineKills: 1 } });
  await app.put("f", `${webhook("r", 'log: "x"')}${timer("period=10&delay=0", 'log: "x"')}`);
  assert.equal((await app.post("/api/r", "exit")).status, 500);
  await quiet(100);
  assert.deepEqual(await (await app.api("/runs?routeId=t&status=shed")).json(), []);
});

for (const [period, why] of [
  ["0", "10"],
  ["5", "10"],
  ["-1", "10"],
  ["soon", "soon"],
] as const) {
  test(`a period of ${period} is refused`, async (t) => {
    const app = await startTestApp(t);
    const refused = await app.put("f", timer(`period=${period}`, 'log: "x"'));
    assert.equal(refused.status, 422);
    assert.match(((await refused.json()) as { error: string }).error, new RegExp(why));
  });
}

test("a flow's document says when its clocks begin their next run, as long as they run", async (t) => {
  const app = await startTestApp(t);
  const nextRun = async (): Promise<string | undefined> => {
    const [flow] = (await (await app.api("/flows")).json()) as { routes: { nextRun?: string }[] }[];
    return flow?.routes[0]?.nextRun;
  };
  const cron = (schedule: string): string =>
    `- route: { id: t, from: { uri: "quartz:t?cron=${schedule}&trigger.timeZone=UTC", steps: [{ log: x }] } }\n`;
  await app.put("f", cron("0+0+12+24+12+?+2098"));
  assert.equal(await nextRun(), "2098-12-24T12:00:00.000Z");
  await app.put("f", cron("0+0+12+24+12+?+2099"));
  assert.equal(await nextRun(), "2099-12-24T12:00:00.000Z");
  await app.api("/flows/f/stop", { method: "POST" });
  assert.equal(await nextRun(), undefined);
  await app.put("f", timer("period=3600000&delay=3600000", "log: x"));
  await app.api("/flows/f/start", { method: "POST" });
  const ms = Date.parse((await nextRun()) ?? "") - epochMs();
  assert.ok(ms > 3_000_000 && ms <= 3_600_000, String(ms));
  await app.put("f", webhook("calm", "log: x"));
  assert.equal(await nextRun(), undefined);
  const fromEnd =
    '{ uri: "scheduler:s?delay=3600000&initialDelay=0", steps: [{ log: beat }, { delay: { constant: 3600000 } }] }';
  await app.put("f", `- route: { id: t, from: ${fromEnd} }\n`);
  await eventually(() => beats(app) > 0, "a run that goes on");
  assert.equal(await nextRun(), undefined, "the next one counts from its end");
});
