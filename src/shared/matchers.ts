/**
 * Matches a JSON value against an expected value. A literal is equal in depth (17 is not "17"). An object whose keys
 * all begin with `$` is a matcher, all of whose operators must hold. Matchers may stand inside literals, but not inside
 * `$eq`, `$ne` and `$in`.
 */
import { compare } from "./compare.ts";
import { Comparison, type How, type Mismatch } from "./comparison.ts";
import { parseExactly } from "./exact-json.ts";
import { isMatcher } from "./matcher-operators.ts";

export { type How, type Mismatch, mismatchText } from "./comparison.ts";

/**
 * Returns the mismatches, at most 20 or as many as `how` sets; none when the value matches. Never throws: a value that
 * cannot be compared does not match.
 */
export function mismatches(matcher: unknown, actual: unknown, how: How): readonly Mismatch[] {
  const comparison = new Comparison(how);
  compare(matcher, actual, undefined, 0, comparison);
  const { found, fault } = comparison;
  return fault === undefined ? found : [...found, fault];
}

/**
 * Compares a message's headers with the expected ones, by names without case. Further headers are allowed. A header
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

/**
 * Returns a matcher that only this value satisfies: the value itself, unless a part of it would be read as a matcher.
 */
export function makeLiteral(value: unknown): unknown {
  return holdsDollar(value) ? { $eq: value } : value;
}

function holdsDollar(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.startsWith("$") || holdsDollar(inner));
}

/** The mismatches of `comparedBody`. */
export function bodyMismatches(expected: unknown, body: unknown, how: How): readonly Mismatch[] {
  return mismatches(expected, comparedBody(expected, body), how);
}

/**
 * Returns the value to compare. A text that is a JSON object or list is compared as this value, unless a text is
 * expected: a matcher should not depend on whether the flow has serialized its message.
 */
export function comparedBody(expected: unknown, body: unknown): unknown {
  return typeof body === "string" && !aboutText(expected) ? jsonOf(body) : body;
}

/** Returns the JSON value of a text, or the text itself if it is not JSON. */
function jsonOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

function aboutText(expected: unknown): boolean {
  if (!isMatcher(expected)) return typeof expected === "string";
  return Object.entries(expected).some(([name, operand]) => {
    if (name === "$not") return aboutText(operand);
    if (name === "$in") return Array.isArray(operand) && operand.some((one) => typeof one === "string");
    return name === "$type" ? operand === "string" : typeof operand === "string";
  });
}
