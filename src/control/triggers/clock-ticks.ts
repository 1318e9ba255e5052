/** The times of a clock's ticks, by its trigger's kind. */
import { readCron } from "../../shared/cron.ts";
import type { ClockTrigger } from "../../shared/manifest.ts";
import type { InvokeExtra } from "../../shared/protocol.ts";

/** All moments are epoch milliseconds. */
export interface ClockTimes {
  /** Returns the first tick; undefined: it never ticks. */
  first(now: number): number | undefined;
  /** Returns the tick after the one that was due at `dueAt` and came at `now`; undefined: that was the last. */
  next(dueAt: number, now: number): number | undefined;
  /** How many ticks in all; 0: without end. */
  readonly most: number;
  /** true: the period counts from the end of each run, and no tick comes earlier. */
  readonly fromEnd: boolean;
  /** true: ticks are times of the day, not spans of time: a sleeping machine does not delay them. */
  readonly byCalendar: boolean;
}

/** How many ticks a fixed rate makes up for when the machine slept or the loop was held up; older ones are dropped. */
const mostCaughtUp = 10;

export function timesOf(trigger: ClockTrigger): ClockTimes {
  if (trigger.kind !== "quartz") {
    const { periodMs, delayMs, fixedRate, repeatCount, kind } = trigger;
    return periodic(periodMs, delayMs, repeatCount, fixedRate, kind === "scheduler" && !fixedRate);
  }
  const { schedule, delayMs } = trigger;
  if ("cron" in schedule) return byCron(schedule.cron, schedule.timeZone, delayMs);
  return periodic(schedule.periodMs, delayMs, schedule.repeatCount, true, false);
}

/** A fixed rate counts from the tick that was due, a fixed delay from the one that came (java.util.Timer). */
function periodic(periodMs: number, delayMs: number, most: number, fixedRate: boolean, fromEnd: boolean): ClockTimes {
  return {
    first: (now) => now + delayMs,
    next: (dueAt, now) => (fixedRate ? inPhase(dueAt, periodMs, now) : now) + periodMs,
    most,
    fromEnd,
    byCalendar: false,
  };
}

/** A missed tick comes once, late, in place of all that were missed (Quartz: FireAndProceed). */
function byCron(cron: string, timeZone: string, delayMs: number): ClockTimes {
  const times = readCron(cron, timeZone);
  return {
    first: (now) => times.next(now + delayMs),
    // A timer may fire a moment early, which must not repeat the same tick.
    next: (dueAt, now) => times.next(Math.max(dueAt, now)),
    most: 0,
    fromEnd: false,
    byCalendar: true,
  };
}

/** Returns the latest tick from which at most `mostCaughtUp` periods have passed. */
function inPhase(tickAt: number, periodMs: number, now: number): number {
  const behind = Math.floor((now - tickAt) / periodMs);
  return tickAt + Math.max(0, behind - mostCaughtUp) * periodMs;
}

/** All moments are epoch milliseconds. */
export interface Tick {
  /** The tick's number, from 1. */
  readonly count: number;
  readonly dueAt: number;
  /** The time of the previous tick. */
  readonly previousAt: number | undefined;
  /** The time when the next tick is due, if known. */
  readonly nextAt: number | undefined;
}

/** Returns the metadata; undefined unless the route asks for it with includeMetadata. */
export function metadataOf(trigger: ClockTrigger, tick: Tick): InvokeExtra | undefined {
  if (trigger.kind !== "quartz" && !trigger.includeMetadata) return undefined;
  const now = Date.now();
  const firedAt = isoTime(now);
  const timestamp = ["CamelMessageTimestamp", now] as const;
  switch (trigger.kind) {
    case "timer":
      return {
        headers: [["CamelTimerFiredTime", firedAt], timestamp],
        properties: {
          CamelTimerCounter: tick.count,
          CamelTimerName: trigger.name,
          CamelTimerPeriod: trigger.periodMs,
          CamelTimerFiredTime: firedAt,
        },
      };
    case "scheduler":
      return { headers: [timestamp], properties: { CamelTimerName: trigger.name, CamelTimerFiredTime: firedAt } };
    case "quartz":
      return {
        headers: [
          ["fireTime", firedAt],
          ["scheduledFireTime", isoTime(tick.dueAt)],
          ["previousFireTime", isoTime(tick.previousAt)],
          ["nextFireTime", isoTime(tick.nextAt)],
          ["jobRunTime", -1],
          ["refireCount", 0],
          ["triggerName", trigger.name],
          ["triggerGroup", trigger.group],
          timestamp,
        ],
      };
  }
}

function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
