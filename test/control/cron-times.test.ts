/** When schedules come: Quartz's grammar, time zones and their changes, and the moments of the other clocks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { timesOf } from "../../src/control/triggers/clock-ticks.ts";
import { readCron, withSeconds } from "../../src/shared/cron.ts";

function next(cron: string, after: string, count: number, timeZone = "UTC"): string[] {
  const times = readCron(cron, timeZone);
  const found: string[] = [];
  for (let at: number | undefined = Date.parse(after); found.length < count; ) {
    at = times.next(at as number);
    if (at === undefined) break;
    found.push(new Date(at).toISOString().replace(".000Z", "").replace("T", " "));
  }
  return found;
}

const friday = "2026-01-16T10:00:00Z";

for (const [cron, ...moments] of [
  ["0/20 * * * * ?", "2026-01-16 10:00:20", "2026-01-16 10:00:40", "2026-01-16 10:01:00"],
  ["0 0/30 8-10 5,20 * ?", "2026-01-20 08:00:00", "2026-01-20 08:30:00"],
  ["0 0 12 ? * WED", "2026-01-21 12:00:00", "2026-01-28 12:00:00"],
  ["0 0 9 ? * 2-6", "2026-01-19 09:00:00", "2026-01-20 09:00:00"],
  ["0 0 9 ? * 1", "2026-01-18 09:00:00"],
  ["0 0 9 ? * L", "2026-01-17 09:00:00"],
  ["0 15 10 L * ?", "2026-01-31 10:15:00", "2026-02-28 10:15:00"],
  ["0 15 10 LW * ?", "2026-01-30 10:15:00"],
  ["0 15 10 15W 2,3 ?", "2026-02-16 10:15:00", "2026-03-16 10:15:00"],
  ["0 15 10 ? * 6L", "2026-01-30 10:15:00"],
  ["0 15 10 ? * 6#3", "2026-01-16 10:15:00", "2026-02-20 10:15:00"],
  ["0 0 0 29 2 ?", "2028-02-29 00:00:00"],
  ["0 0 0 1 1 ? 2030", "2030-01-01 00:00:00"],
  ["0 0 0 30 2 ?"],
  ["0 0 0 1 1 ? 2020"],
] as const) {
  test(`'${cron}' comes ${moments.join(", ") || "never"}`, () => {
    assert.deepEqual(next(cron, friday, moments.length || 1), moments);
  });
}

test("a time of the day follows its zone over the changes of summer time", () => {
  const at = "0 30 8 * * ?";
  assert.deepEqual(next(at, "2026-03-28T00:00:00Z", 2, "Europe/Berlin"), [
    "2026-03-28 07:30:00",
    "2026-03-29 06:30:00",
  ]);
  assert.deepEqual(next(at, "2026-10-24T00:00:00Z", 2, "Europe/Berlin"), [
    "2026-10-24 06:30:00",
    "2026-10-25 07:30:00",
  ]);
  assert.equal(next("0 30 2 * * ?", "2026-03-28T12:00:00Z", 1, "Europe/Berlin").length, 1);
  assert.deepEqual(
    next("0 30 2 * * ?", "2026-10-24T12:00:00Z", 2, "Europe/Berlin").map((text) => text.slice(0, 10)),
    ["2026-10-25", "2026-10-26"],
  );
});

for (const [cron, why] of [
  ["* * * * *", /6 or 7 fields/],
  ["@daily", /6 or 7 fields/],
  ["0 0 9 1 * 2", /'\?' for the other/],
  ["0 0 9 ? * 0", /1 \(Sunday\) to 7/],
  ["60 0 9 ? * 1", /no cron expression/],
  ["0 0 9 ? * MON-8", /1 \(Sunday\) to 7/],
  [`0 0 9 ? * 1${" ".repeat(300)}`, /at most 200 characters/],
] as const) {
  test(`'${cron.slice(0, 20)}' is refused`, () => assert.throws(() => readCron(cron, "UTC"), why));
}

test("a time zone that is none is refused", () => {
  assert.throws(() => readCron("0 0 9 * * ?", "No/Where"), /no time zone/);
});

test("five fields begin with the minutes, and name their days of the week", () => {
  assert.equal(withSeconds("0/5 * * * ?"), "0 0/5 * * * ?");
  assert.equal(withSeconds(" 30 9 * * MON-FRI "), "0 30 9 * * MON-FRI");
  assert.equal(withSeconds("30 9 ? * 2-6"), "0 30 9 ? * 2-6");
  assert.throws(() => withSeconds("30 9 * * 1-5"), /by name, as in MON-FRI/);
  assert.throws(() => withSeconds("30 9 * *"), /5 to 7 fields/);
});

test("a tick that comes a moment early is not the next one, one that was slept over comes once", () => {
  const times = timesOf({
    kind: "quartz",
    group: "g",
    name: "n",
    delayMs: 0,
    schedule: { cron: "0/5 * * * * ?", timeZone: "UTC" },
    overlap: "skip",
  });
  const due = Date.parse("2026-01-16T10:00:05Z");
  assert.equal(times.first(due - 1), due);
  assert.equal(times.next(due, due - 1), due + 5000);
  assert.equal(times.next(due, due + 3_600_001), due + 3_605_000);
});

test("a Quartz trigger without an expression ticks once more than it repeats, at a fixed rate", () => {
  const schedule = { periodMs: 100, repeatCount: 3 };
  const times = timesOf({ kind: "quartz", group: "g", name: "n", delayMs: 500, schedule, overlap: "skip" });
  assert.equal(times.most, 3);
  assert.equal(times.first(1000), 1500);
  assert.equal(times.next(1500, 1530), 1600);
});
