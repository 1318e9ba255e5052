/**
 * Matches a JSON value against what is expected. A literal is equal in depth (17 is not "17"); an object whose keys all
 * begin with `$` is a matcher, all of whose operators must hold. Matchers may stand inside literals, but not inside
 * `$eq`, `$ne` and `$in`.
 */
import { compare } from "./compare.ts";
import { Comparison, type How, type Mismatch } from "./comparison.ts";

export { type How, type Mismatch, mismatchText } from "./comparison.ts";

/**
 * Returns the mismatches; empty: it matches. Of many the first 20, or as many as `how` wants. Never throws; what cannot
 * be compared does not match.
 */
export function mismatches(matcher: unknown, actual: unknown, how: How): readonly Mismatch[] {
  const comparison = new Comparison(how);
  compare(matcher, actual, undefined, 0, comparison);
  const { found, fault } = comparison;
  return fault === undefined ? found : [...found, fault];
}

/**
 * Compares a message's headers with the expected ones, by names without case; further headers may be there. A header
 * that is expected to be null must be absent or null. Paths are `header orderId`.
 */
export function headerMismatches(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  how: How,
): readonly Mismatch[] {
  const most = how.most ?? 20;
  const found: Mismatch[] = [];
  const names = new Map(Object.keys(actual).map((name) => [name.toLowerCase(), name]));
  for (const name of Object.keys(expected)) {
    if (found.length >= most) break;
    const own = names.get(name.toLowerCase());
    const value = own === undefined ? undefined : actual[own];
    const path = `header ${name.slice(0, 100)}`;
    found.push(...mismatches(expected[name], value, { ...how, headers: true, path, most: most - found.length }));
  }
  return found;
}

/** Returns a matcher that only this value satisfies: the value itself, unless some of it would be read as a matcher. */
export function makeLiteral(value: unknown): unknown {
  return holdsDollar(value) ? { $eq: value } : value;
}

function holdsDollar(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.startsWith("$") || holdsDollar(inner));
}
