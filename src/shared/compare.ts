/** Compares an expected value with an actual one, in depth. */
import { type ComparedPlace, type Comparison, formatValue } from "./comparison.ts";
import { describe, isMatcher, isObject, isScalar, type Mode, negations, operators } from "./matcher-operators.ts";

/** Adds the differences to `found`. `depth`: levels of matchers and values above. */
export function compare(
  expected: unknown,
  actual: unknown,
  place: ComparedPlace,
  depth: number,
  found: Comparison,
  mode?: Mode,
): void {
  if (!found.enters(place, depth)) return;
  const severalValues = found.how.headers === true && place === undefined && Array.isArray(actual);
  if (mode !== "exact" && isMatcher(expected)) {
    if (severalValues) compareValues(expected, actual, depth, found);
    else for (const name of Object.keys(expected)) ask(name, expected[name], actual, place, depth, found);
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    if (mode === "part") eachSomewhere(expected, actual, place, depth, found);
    else compareLists(expected, actual, place, depth, found, mode);
  } else if (isObject(expected) && isObject(actual)) compareObjects(expected, actual, place, depth, found, mode);
  else if (severalValues) {
    const one = actual.some(
      (value) => found.inner((inner) => compare(expected, value, place, depth + 1, inner, mode)).holds,
    );
    if (!one) found.add(place, formatValue(expected), actual);
  } else if (!same(expected, actual, found)) found.add(place, formatValue(expected), actual);
}

function same(expected: unknown, actual: unknown, { how }: Comparison): boolean {
  if (expected === actual) return true;
  if (how.headers !== true) return false;
  if (expected === null) return actual === undefined;
  return isScalar(expected) && isScalar(actual) && String(expected) === String(actual);
}

function ask(
  name: string,
  operand: unknown,
  actual: unknown,
  place: ComparedPlace,
  depth: number,
  found: Comparison,
): void {
  const operator = operators.get(name);
  if (operator === undefined) {
    found.fail(place, "an operator that there is", name.slice(0, 100));
    return;
  }
  const inner = (expected: unknown, value: unknown, mode: Mode): Comparison =>
    found.inner((one) => compare(expected, value, place, depth + 1, one, mode));
  const holds = operator.ask({
    operand,
    actual,
    place,
    found,
    holds: (expected, mode, value = actual) => inner(expected, value, mode).holds,
    fails: (expected, mode) => inner(expected, actual, mode).fails,
    addMismatches: (expected, mode) => compare(expected, actual, place, depth + 1, found, mode),
  });
  if (holds === false && !found.done) found.add(place, operator.text(operand), actual);
}

/**
 * Compares a matcher with the values of a header: it must match one of them or the list. A value that it excludes may
 * not occur at all.
 */
function compareValues(
  matcher: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  depth: number,
  found: Comparison,
): void {
  const [about, excluding] = [false, true].map((negates) =>
    Object.keys(matcher).filter((name) => negations.has(name) === negates),
  );
  for (const name of excluding ?? []) ask(name, matcher[name], values, undefined, depth, found);
  const fits = (value: unknown): boolean =>
    found.inner((inner) => {
      for (const name of about ?? []) ask(name, matcher[name], value, undefined, depth, inner);
    }).holds;
  if (!fits(values) && !values.some(fits)) found.add(undefined, describe(matcher), values);
}

function compareObjects(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  place: ComparedPlace,
  depth: number,
  found: Comparison,
  mode: Mode,
): void {
  for (const key of Object.keys(expected)) {
    if (found.done) return;
    const value = Object.hasOwn(actual, key) ? actual[key] : undefined;
    compare(expected[key], value, { above: place, key }, depth + 1, found, mode);
  }
  if (mode === "part") return;
  for (const key of Object.keys(actual)) {
    if (found.done) return;
    if (!Object.hasOwn(expected, key) && actual[key] !== undefined)
      found.add({ above: place, key }, "nothing", actual[key]);
  }
}

function compareLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  place: ComparedPlace,
  depth: number,
  found: Comparison,
  mode: Mode,
): void {
  for (let key = 0; key < Math.max(expected.length, actual.length) && !found.done; key++) {
    if (key < expected.length) compare(expected[key], actual[key], { above: place, key }, depth + 1, found, mode);
    else found.add({ above: place, key }, "nothing", actual[key]);
  }
}

function eachSomewhere(
  expected: readonly unknown[],
  actual: readonly unknown[],
  place: ComparedPlace,
  depth: number,
  found: Comparison,
): void {
  for (const item of expected) {
    if (found.done) return;
    const somewhere = actual.some(
      (value) => found.inner((inner) => compare(item, value, place, depth + 1, inner, "part")).holds,
    );
    if (!somewhere) found.add(place, `an item ${describe(item)}`, actual);
  }
}
