/** The clocks of cron, quartz and scheduler (docs/api.md 4): runs, what they find, what a replacement keeps, what is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, quiet } from "../support/clock.ts";
import { startTestApp, type TestApp } from "../support/start-app.ts";

function clock(uri: string, parameters: string, ...steps: readonly string[]): string {
  return `- route:
    id: t
    from:
      uri: "${uri}"
      parameters: { ${parameters} }
      steps:
${steps.map((step) => `        - ${step}\n`).join("")}`;
}

const lines = (app: TestApp, start: string): readonly string[] =>
  app.logs.map(({ message }) => message).filter((message) => message.startsWith(start));

const everySecond = 'schedule: "* * * * * ?"';

test("a cron schedule runs its route, with the headers that Quartz sets", async (t) => {
  const app = await startTestApp(t);
  const facts = [
    "fireTime",
    "scheduledFireTime",
    "nextFireTime",
    "triggerName",
    "triggerGroup",
    "CamelMessageTimestamp",
  ];
  const shown = facts.map((name) => `\${header.${name}}`).join(" ");
  await app.put("f", clock("cron:tab", everySecond, `log: "beat ${shown} [\${body}]"`));
  await eventually(() => lines(app, "beat").length >= 2, "two beats");
  const [fired, scheduled, following, name, group, timestamp, body] = (lines(app, "beat")[0] as string)
    .split(" ")
    .slice(1);
  assert.deepEqual([name, group, body], ["tab", "Camel", "[]"]);
  assert.match(scheduled as string, /:\d\d\.000Z$/);
  assert.equal(Date.parse(following as string) > Date.parse(scheduled as string), true);
  assert.equal(new Date(Number(timestamp)).toISOString(), fired);
  const runs = (await (await app.api("/runs?routeId=t")).json()) as { trigger: { kind: string; uri: string } }[];
  assert.deepEqual(runs.at(-1)?.trigger, {
    kind: "timer",
    uri: "cron:tab?schedule=* * * * * ?".replaceAll(" ", "%20"),
  });
});

test("quartz without an expression ticks its number of times", async (t) => {
  const app = await startTestApp(t);
  const options = "trigger.repeatInterval: 10, trigger.repeatCount: 2, triggerStartDelay: 0, overlap: queue";
  await app.put("f", clock("quartz:group/name", options, 'log: "beat ${header.triggerGroup}/${header.triggerName}"'));
  await eventually(() => lines(app, "beat").length === 3, "three beats");
  assert.equal(lines(app, "beat")[0], "beat group/name");
  await quiet(60);
  assert.equal(lines(app, "beat").length, 3);
});

test("a scheduler counts its delay from the end of a run", async (t) => {
  const app = await startTestApp(t);
  const options = "delay: 10, initialDelay: 0, repeatCount: 3, includeMetadata: true";
  const steps = ['log: "begin ${exchangeProperty.CamelTimerName}"', "delay: { constant: 30 }", 'log: "end"'];
  await app.put("f", clock("scheduler:poll", options, ...steps));
  await eventually(() => lines(app, "end").length === 3, "three runs");
  const told = app.logs.map(({ message }) => message).filter((message) => /^(begin|end)/.test(message));
  assert.deepEqual(told, ["begin poll", "end", "begin poll", "end", "begin poll", "end"]);
  const skipped = /^bulkhead_timer_ticks_skipped_total\{flow="f"\} (\d+)$/m.exec(
    await (await app.api("/metrics")).text(),
  );
  assert.equal(Number(skipped?.[1] ?? 0), 0);
});

test("a scheduler's unit and its fixed rate", async (t) => {
  const app = await startTestApp(t);
  const options =
    "delay: 10000, initialDelay: 0, timeUnit: MICROSECONDS, useFixedDelay: false, repeatCount: 3, overlap: allow";
  await app.put("f", clock("scheduler:poll", options, 'log: "beat"'));
  await eventually(() => lines(app, "beat").length === 3, "three beats");
});

test("a stopped flow's schedule rests and begins again with it", async (t) => {
  const app = await startTestApp(t);
  await app.put("f", clock("cron:tab", everySecond, 'log: "beat"'));
  await eventually(() => lines(app, "beat").length > 0, "a beat");
  await app.api("/flows/f/stop", { method: "POST" });
  const runs = async (): Promise<number> => ((await (await app.api("/runs?routeId=t")).json()) as unknown[]).length;
  const before = await runs();
  await quiet(1200);
  assert.equal(await runs(), before);
  await app.api("/flows/f/start", { method: "POST" });
  await eventually(async () => (await runs()) > before, "a beat after that");
});

test("a replacement with the same schedule keeps the tick before it, another one does not", async (t) => {
  const app = await startTestApp(t);
  const yaml = (text: string, schedule = everySecond): string =>
    clock("cron:tab", schedule, `log: "${text} [\${header.previousFireTime}]"`);
  await app.put("f", yaml("old"));
  await eventually(() => lines(app, "old").length > 0, "a beat");
  await app.put("f", yaml("new"));
  await eventually(() => lines(app, "new").length > 0, "a beat of the replacement");
  assert.notEqual(lines(app, "new")[0], "new []");
  await app.put("f", yaml("other", 'schedule: "0-59 * * * * ?"'));
  await eventually(() => lines(app, "other").length > 0, "a beat of the other schedule");
  assert.equal(lines(app, "other")[0], "other []");
});

test("what does not read, never comes or has no meaning here is refused", async (t) => {
  const app = await startTestApp(t);
  for (const [uri, parameters, why] of [
    ["cron:tab", 'schedule: "not a schedule"', /5 to 7 fields/],
    ["cron:tab", 'schedule: "0 0 0 1 1 ? 2020"', /no moment that is still to come/],
    ["cron:tab", "", /needs 'schedule'/],
    ["cron:tab", 'schedule: "30 9 * * 1-5"', /by name/],
    ["quartz:a/b/c", "", /quartz:group\/name/],
    ["quartz:a", 'cron: "0 0 9 * * ?", trigger.timeZone: No/Where', /no time zone/],
    ["quartz:a", 'cron: "0 0 9 * * ?", trigger.repeatCount: 2', /leave out/],
    ["quartz:a", "durableJob: true", /no store of jobs/],
    ["quartz:a", "trigger.repeatInterval: 5", /at least 10 ms/],
    ["scheduler:a", "delay: 1", /at least 10 ms/],
    ["scheduler:a", "greedy: true", /without a pause/],
    ["scheduler:a", "overlap: allow", /no run overlaps/],
    ["scheduler:a", "scheduler: quartz", /cron:name/],
  ] as const) {
    const refused = await app.put("f", clock(uri, parameters, 'log: "x"'));
    assert.equal(refused.status, 422, parameters);
    assert.match(((await refused.json()) as { error: string }).error, why);
  }
});

test("plus signs are spaces, in the URI and among the parameters", async (t) => {
  const app = await startTestApp(t);
  assert.equal((await app.put("a", clock("cron:tab?schedule=0/5+*+*+*+*+?", "", 'log: "x"'))).status, 201);
  const other = clock("quartz:tab", 'cron: "0/5+*+*+*+*+?"', 'log: "x"').replace("id: t", "id: u");
  assert.equal((await app.put("b", other)).status, 201);
});
