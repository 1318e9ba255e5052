/** Durations as Camel writes them. */

const part = /(\d+(?:\.\d+)?)(ms|[dhms])/g;
const whole = /^-?(?:\d+|(?:\d+(?:\.\d+)?(?:ms|[dhms]))+)$/;
const unitMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `"1500"`, `"5s"`, `"1m30s"`, `"2d"` in milliseconds; undefined for other texts (Camel: TimePatternConverter). */
export function parseDuration(text: string): number | undefined {
  const compact = text.trim().replaceAll(" ", "").toLowerCase();
  if (!whole.test(compact)) return undefined;
  const plain = Number(compact);
  if (!Number.isNaN(plain)) return plain;
  let total = 0;
  for (const [, amount, unit] of compact.matchAll(part)) total += Number(amount) * (unitMs[unit as string] as number);
  return compact.startsWith("-") ? -total : total;
}

/** Rounds milliseconds to the microsecond, as in documents and events. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
