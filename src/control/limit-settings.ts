/** Limits as the operator sets them (`LIMIT_...`). */
import { closest } from "fastest-levenshtein";
import type { Ceilings } from "../shared/flow-limits.ts";
import {
  defaultCeiling,
  defaultLimits,
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  limitVariable,
} from "../shared/limits.ts";

/** The longest time of a timer; longer ones overflow in Node. */
const mostMs = 2 ** 31 - 1;

/** Applies the variables to the limits and ceilings of the table; `given`: variables that are not empty. Adds to `problems`. */
export function readLimits(
  given: Readonly<Record<string, string>>,
  problems: string[],
): { limits: Limits; ceilings: Ceilings } {
  const limits: Record<LimitName, number> = { ...defaultLimits };
  const ceilings: Partial<Record<LimitName, number>> = {};
  const known = new Set<string>();
  const read = (variable: string, name: LimitName): number | undefined => {
    known.add(variable);
    const text = given[variable];
    if (text === undefined) return undefined;
    const value = Number(text);
    const row = limitTable[name];
    const most = row.unit === "ms" ? mostMs : Number.MAX_SAFE_INTEGER;
    const least = "least" in row ? row.least : 1;
    if (isWholeText(text) && value >= least && value <= most) return value;
    problems.push(`${variable}: '${text}' is not allowed: give a whole number from ${least} to ${most} (${row.unit})`);
    return undefined;
  };
  for (const name of limitNames) {
    const variable = limitVariable(name);
    limits[name] = read(variable, name) ?? limits[name];
    const usual = defaultCeiling(name);
    if (usual === undefined) continue;
    const ceiling = read(`${variable}_CEILING`, name) ?? usual;
    ceilings[name] = ceiling;
    if (limits[name] > ceiling) {
      problems.push(
        `${variable}: ${limits[name]} is over its ceiling for flows (${ceiling}): lower it, or raise ${variable}_CEILING`,
      );
    }
  }
  for (const variable of Object.keys(given)) {
    if (!variable.startsWith("LIMIT_") || known.has(variable)) continue;
    if (variable.endsWith("_CEILING") && known.has(variable.slice(0, -"_CEILING".length))) {
      problems.push(`${variable}: flows may not set this limit, so it has no ceiling`);
      continue;
    }
    problems.push(`${variable}: there is no such limit (did you mean ${closest(variable.slice(0, 60), [...known])}?)`);
  }
  return { limits, ceilings };
}

/** Digits only, and few enough to be exact as a number. */
export function isWholeText(text: string): boolean {
  return /^\d{1,16}$/.test(text);
}
