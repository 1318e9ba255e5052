/** Cron expressions as Quartz reads them: six fields that begin with the seconds, and an optional year. */
import { Cron } from "croner";

export interface CronTimes {
  /** Returns the first moment after this one, both in epoch milliseconds; undefined when there is none. */
  next(after: number): number | undefined;
}

const longest = 200;
const fieldNames = ["second", "minute", "hour", "day of the month", "month", "day of the week", "year"];

/** Reads an expression. Throws when the expression or the time zone is not valid. */
export function readCron(text: string, timeZone: string): CronTimes {
  const pattern = quartzPattern(text);
  const cron = readPattern(pattern, timeZone);
  return {
    next(after) {
      return cron.nextRun(new Date(after))?.getTime();
    },
  };
}

/** Adds seconds to five fields, which begin with the minutes. Throws for an expression that Quartz also refuses. */
export function withSeconds(text: string): string {
  const fields = fieldsOf(text);
  if (fields.length < 5 || fields.length > 7) {
    throw new Error(`a schedule has 5 to 7 fields between spaces, found ${fields.length}`);
  }
  if (fields.length > 5) return fields.join(" ");
  const [dayOfMonth, dayOfWeek] = [fields[2], fields[4] as string];
  // Quartz refuses this, too: either interpretation would run the flow on wrong days.
  if (dayOfMonth !== "?" && /\d/.test(dayOfWeek)) {
    throw new Error(`write the days of the week by name, as in MON-FRI: '${dayOfWeek}' would count from Sunday as 1`);
  }
  return ["0", ...fields].join(" ");
}

/** Returns the time zone of schedules that name none. */
export function localTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function quartzPattern(text: string): string {
  if (text.length > longest) throw new Error(`a cron expression has at most ${longest} characters`);
  const fields = fieldsOf(text);
  if (fields.length !== 6 && fields.length !== 7) {
    throw new Error(
      `a cron expression has 6 or 7 fields between spaces (${fieldNames.join(", ")}), found ${fields.length}: '${text}'`,
    );
  }
  const [, , , dayOfMonth, , dayOfWeek] = fields as [string, string, string, string, string, string];
  if (!isAny(dayOfMonth) && !isAny(dayOfWeek)) {
    throw new Error(`a cron expression names days of the month or days of the week, '?' for the other: '${text}'`);
  }
  for (const [, mark, number] of dayOfWeek.matchAll(/([#/]?)(\d+)/g)) {
    if (mark === "" && !/^[1-7]$/.test(number as string)) {
      throw new Error(`days of the week are 1 (Sunday) to 7 (Saturday), or names: found '${dayOfWeek}'`);
    }
  }
  // For Quartz this means the last day of the week.
  if (dayOfWeek.toUpperCase() === "L") fields[5] = "SAT";
  return fields.join(" ");
}

function readPattern(pattern: string, timeZone: string): Cron {
  let cron: Cron;
  try {
    cron = new Cron(pattern, {
      paused: true,
      timezone: timeZone,
      mode: "6-or-7-parts",
      // 1 is Sunday.
      alternativeWeekdays: true,
      // 0/5
      sloppyRanges: true,
    });
  } catch (error) {
    const why = error instanceof Error ? error.message.replace(/^Cron(?:Pattern|Date): /, "") : String(error);
    throw new Error(`'${pattern}' is no cron expression: ${why}`);
  }
  try {
    new Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw new Error(`'${timeZone.slice(0, 100)}' is no time zone: write one such as Europe/Berlin or UTC`);
  }
  return cron;
}

function fieldsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

function isAny(field: string): boolean {
  return field === "?" || field === "*";
}
