/** Common parts of the cron and quartz components. Only flows with a schedule load the library that reads it. */
import type { Overlap, QuartzTrigger } from "../../shared/manifest.ts";
import { LateModule } from "../engine/late-module.ts";

const late = new LateModule(() => import("../../shared/cron.ts"));

interface Schedule {
  readonly group: string;
  readonly name: string;
  /** The expression. In a URI that stands among parameters, `+` is a space. */
  readonly text: string;
  readonly timeZone?: string | undefined;
  readonly delayMs: number;
  readonly overlap: Overlap;
  readonly mayNeverTick: boolean;
  readonly fiveFields: boolean;
}

/** Throws for an invalid schedule, and for one without any tick. */
export function cronTrigger(schedule: Schedule): QuartzTrigger {
  const { localTimeZone, readCron, withSeconds } = late.module();
  const { group, name, timeZone = localTimeZone(), delayMs, overlap, mayNeverTick, fiveFields } = schedule;
  const text = schedule.text.replaceAll("+", " ").trim();
  const cron = fiveFields ? withSeconds(text) : text;
  if (readCron(cron, timeZone).next(Date.now() + delayMs) === undefined && !mayNeverTick) {
    throw new Error(`the schedule '${text}' has no moment that is still to come`);
  }
  return { kind: "quartz", group, name, delayMs, schedule: { cron, timeZone }, overlap };
}

export const overlaps = ["skip", "queue", "allow"] as const;
export const noReply = "nobody waits for the reply: leave it out";
export const noErrors = "a clock has no errors of its own: leave it out";
