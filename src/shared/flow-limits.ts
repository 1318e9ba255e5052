/** Limits and modes as a flow may set them for itself, for a runtime that deploys it and for a check without one. */
import { closest } from "fastest-levenshtein";
import { AppError } from "./errors.ts";
import { defaultCeiling, type LimitName, type Limits, limitNames, limitTable, limitVariable } from "./limits.ts";
import type { Isolation, KeepFailed, RecordMode } from "./protocol.ts";

/** Numbers by their names in the limits table. As they are sent they may also have `isolation`, `threads`, `record` and `logHandled`. */
export type StoredLimits = Readonly<Record<string, number | string | boolean>>;

/** The most that a flow may set a limit to; only the operator sets a limit without an entry. */
export type Ceilings = Readonly<Partial<Record<LimitName, number>>>;

/** The ceilings of a runtime with these variables; those that are no number count as absent. */
export function usualCeilings(env: Readonly<Record<string, string | undefined>>): Ceilings {
  return Object.fromEntries(
    limitNames.flatMap((name) => {
      const usual = defaultCeiling(name);
      return usual === undefined ? [] : [[name, Number(env[`${limitVariable(name)}_CEILING`]) || usual]];
    }),
  );
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

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function isLimit(name: string): name is LimitName {
  return Object.hasOwn(limitTable, name);
}
