/** Times as lists of directories have them (`ls -l`): to the minute, without a zone, and without a year for those of the last months. */

/** Returns milliseconds; 0 for another form. `now`: what the year is guessed by. */
export function listedTime(text: string, now: Date): number {
  const [, month, day, clock, year] = /^(\w{3})\s+(\d{1,2})\s+(?:(\d{1,2}:\d{2})|(\d{4}))$/.exec(text.trim()) ?? [];
  if (month === undefined) return 0;
  if (year !== undefined) return timeOf(`${day} ${month} ${year} 00:00`);
  const thisYear = timeOf(`${day} ${month} ${now.getUTCFullYear()} ${clock}`);
  const tomorrow = now.getTime() + 86_400_000;
  return thisYear > tomorrow ? timeOf(`${day} ${month} ${now.getUTCFullYear() - 1} ${clock}`) : thisYear;
}

function timeOf(text: string): number {
  const time = Date.parse(`${text} UTC`);
  return Number.isNaN(time) ? 0 : time;
}
