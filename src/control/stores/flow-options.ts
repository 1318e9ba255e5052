/**
 * What a flow has beside its text: the fields of a PUT and of the companion file `<id>.flow.yaml`. They are kept with each revision. A
 * policy is none of them: it is a document of its own, which outlives revisions.
 */
import type { Params } from "../../shared/check.ts";
import type { SentOptions } from "../../shared/document-options.ts";
import { AppError } from "../../shared/errors.ts";
import type { StoredLimits } from "../../shared/flow-limits.ts";

/** An absent field is not set: the flow has the runtime's default. */
export interface FlowOptions {
  readonly params: Params;
  /** Without the settings that have a field of their own. */
  readonly limits: StoredLimits;
  readonly isolation?: "thread" | "process" | undefined;
  readonly threads?: number | undefined;
  readonly record?: "off" | "errors" | "all" | undefined;
  /** Which failed messages are kept: none, those whose sender was not told, or all. */
  readonly keepFailed?: boolean | "all" | undefined;
  readonly logHandled?: boolean | undefined;
  readonly description?: string | undefined;
  readonly category?: string | undefined;
  /** Tests as a test file has them; nothing but their being objects is checked. */
  readonly tests?: readonly Readonly<Record<string, unknown>>[] | undefined;
}

/** A change of options: a field that is left out stays as it is, null removes it. */
export type OptionsChange = { readonly [Name in keyof FlowOptions]?: FlowOptions[Name] | null | undefined };

export const noOptions: FlowOptions = { params: {}, limits: {} };

/** Settings that stand among `limits` in older documents and records, and mean the field of the same name. */
const movedFromLimits = ["isolation", "threads", "record", "logHandled"] as const;

/** The fields that are absent when they are not set. */
const own = [...movedFromLimits, "keepFailed", "description", "category", "tests"] as const;

/** Names of all fields, in the order in which they are reported. */
export const optionNames = ["params", "limits", ...own] as const;

/** Returns the options that something has among other fields. */
export function optionsOf(from: FlowOptions): FlowOptions {
  const options: Record<string, unknown> = { params: from.params, limits: from.limits };
  for (const name of own) if (from[name] !== undefined) options[name] = from[name];
  return options as unknown as FlowOptions;
}

/** Gives settings among the limits the fields of their own. Throws bad_request when both are there and differ. */
export function liftLimits<Change extends OptionsChange>(change: Change): Change {
  const { limits } = change;
  if (limits === undefined || limits === null) return change;
  const rest = { ...limits };
  const lifted: Record<string, unknown> = {};
  for (const name of movedFromLimits) {
    if (!Object.hasOwn(limits, name)) continue;
    const sent = change[name];
    if (sent !== undefined && sent !== limits[name]) {
      throw new AppError("bad_request", `'${name}' and 'limits.${name}' differ: send '${name}' alone`);
    }
    lifted[name] = limits[name];
    delete rest[name];
  }
  return { ...change, ...lifted, limits: rest };
}

/** Returns the options that are in force after the change. */
export function changeOptions(now: FlowOptions, change: OptionsChange): FlowOptions {
  const next: Record<string, unknown> = { ...optionsOf(now) };
  for (const name of optionNames) {
    const value = change[name];
    if (value === undefined) continue;
    if (value !== null) next[name] = value;
    else if (name === "params" || name === "limits") next[name] = {};
    else delete next[name];
  }
  return next as unknown as FlowOptions;
}

/** Returns the limits with the settings of which the operator decides how far a flow may choose them. */
export function settingsOf(options: FlowOptions): StoredLimits {
  const settings: Record<string, StoredLimits[string]> = { ...options.limits };
  for (const name of [...movedFromLimits, "keepFailed"] as const) {
    const value = options[name];
    if (value !== undefined) settings[name] = value;
  }
  return settings;
}

/** Throws bad_request for a setting that is sent twice with different values. */
export function sentOptions(sent: SentOptions): OptionsChange {
  const { params, limits, isolation, threads, record, keepFailed, logHandled, description, category, tests } = sent;
  return liftLimits({
    ...{ isolation, threads, record, keepFailed, logHandled, description, category, tests },
    // A param is inserted into a text: as a string it keeps every digit, also in the store.
    params: withoutBigints(params, String),
    // No limit is that high, so the number is refused with the reason.
    limits: withoutBigints(limits, Number),
  });
}

/** Converts each whole number beyond 2^53. */
function withoutBigints<T extends string | number | boolean | null, U extends string | number>(
  sent: Readonly<Record<string, T | bigint>> | null | undefined,
  other: (value: bigint) => U,
): Readonly<Record<string, T | U>> | null | undefined {
  if (sent === null || sent === undefined) return sent;
  const entries = Object.entries(sent);
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "bigint" ? other(value) : value]));
}
