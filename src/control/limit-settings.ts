/** Limits as the operator sets them (`LIMIT_...`) and as a flow may set them for itself. */
import { closest } from "fastest-levenshtein";
import { AppError } from "../shared/errors.ts";
import {
  defaultCeiling,
  defaultLimits,
  type LimitName,
  type Limits,
  limitNames,
  limitTable,
  limitVariable,
} from "../shared/limits.ts";
import type { Isolation, KeepFailed, RecordMode } from "../shared/protocol.ts";
import type { StoredLimits } from "./stores/flow-options.ts";

/** The most that a flow may set a limit to; only the operator sets a limit without an entry. */
export type Ceilings = Readonly<Partial<Record<LimitName, number>>>;

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

/**
 * Applies the `limits` of a flow to those of the runtime; `usual`: where its threads run when it does not choose. Throws
 * limit_not_allowed for an unknown name, a limit that only the operator sets, and a value that is no number or above its ceiling.
 */
export function flowLimits(
  base: Limits,
  overrides: StoredLimits,
  ceilings: Ceilings,
  usual: Isolation = "thread",
): {
  readonly limits: Limits;
  readonly record: RecordMode;
  readonly isolation: Isolation;
  readonly logHandled: boolean;
  readonly keepFailed: KeepFailed;
} {
  const { record = "errors", isolation = usual, logHandled = true, keepFailed = true, ...numbers } = overrides;
  const limits: Record<LimitName, number> = { ...base };
  for (const [name, value] of Object.entries(numbers)) {
    const ceiling = isLimit(name) ? ceilings[name] : undefined;
    if (!isLimit(name) || ceiling === undefined) throw notAllowed(unsettable(name, Object.keys(ceilings)));
    if (Number.isInteger(value) && Number(value) > ceiling) {
      throw notAllowed(`limits.${name}: ${value} is over the ${ceiling} that the operator allows`);
    }
    if (!isPositive(value)) throw notAllowed(`limits.${name} must be a whole number of at least 1`);
    limits[name] = value;
  }
  return {
    limits,
    record: recordMode(record),
    isolation: isolationOf(isolation),
    logHandled: logHandledOf(logHandled),
    // A flow that records nothing keeps no messages either.
    keepFailed: keepFailedOf(keepFailed, record),
  };
}

type Sent = StoredLimits[string];

function recordMode(record: Sent): RecordMode {
  if (record === "off" || record === "errors" || record === "all") return record;
  throw notAllowed("limits.record must be 'off', 'errors' or 'all'");
}

function logHandledOf(logHandled: Sent): boolean {
  if (typeof logHandled === "boolean") return logHandled;
  throw notAllowed("limits.logHandled must be true or false");
}

function keepFailedOf(keepFailed: Sent, record: Sent): KeepFailed {
  if (typeof keepFailed === "boolean" || keepFailed === "all") return record === "off" ? false : keepFailed;
  throw notAllowed("keepFailed must be true, false or 'all'");
}

function isolationOf(isolation: Sent): Isolation {
  if (isolation === "thread" || isolation === "process") return isolation;
  throw notAllowed("limits.isolation must be 'thread' or 'process'");
}

function unsettable(name: string, settable: readonly string[]): string {
  if (isLimit(name)) return `limits.${name} is set by the operator (${limitVariable(name)}), not by a flow`;
  const shown = name.slice(0, 60);
  const near = closest(shown, [...settable, "record", "isolation", "logHandled"]);
  return `limits.${shown} is unknown (did you mean '${near}'?); a flow may set ${settable.join(", ")}, record, isolation and logHandled`;
}

function notAllowed(message: string): AppError {
  return new AppError("limit_not_allowed", message);
}

/** Digits only, and few enough to be exact as a number. */
export function isWholeText(text: string): boolean {
  return /^\d{1,16}$/.test(text);
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isLimit(name: string): name is LimitName {
  return Object.hasOwn(limitTable, name);
}
