/** When a clock ticks, by its trigger's kind. */
import { readCron } from "../../shared/cron.ts";
import type { ClockTrigger } from "../../shared/manifest.ts";

/** All moments are epoch milliseconds. */
export interface ClockTimes {
  /** undefined: it never ticks. */
  first(now: number): number | undefined;
  /** After the tick that was due at `dueAt` and came at `now`; undefined: it was the last. */
  next(dueAt: number, now: number): number | undefined;
  /** Ticks in all; 0: without end. */
  readonly most: number;
  /** The period counts from the end of each run: there is no tick before. */
  readonly fromEnd: boolean;
  /** It is a time of the day, not a stretch of time: a machine that has slept does not make it later. */
  readonly byCalendar: boolean;
}

/** Ticks that a fixed rate makes up for when the machine slept or the loop was held; older ones are dropped. */
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

/** A tick that was missed comes once, late, and no other (Quartz: FireAndProceed). */
function byCron(cron: string, timeZone: string, delayMs: number): ClockTimes {
  const times = readCron(cron, timeZone);
  return {
    first: (now) => times.next(now + delayMs),
    // A timer may come a moment early: that must not make the same tick the next one.
    next: (dueAt, now) => times.next(Math.max(dueAt, now)),
    most: 0,
    fromEnd: false,
    byCalendar: true,
  };
}

/** The moment of a tick so few periods before `now` that those since then can be made up for. */
function inPhase(tickAt: number, periodMs: number, now: number): number {
  const behind = Math.floor((now - tickAt) / periodMs);
  return tickAt + Math.max(0, behind - mostCaughtUp) * periodMs;
}
