/** Every limit of the runtime, one row each. `GET /_api/limits` lists them, and `LIMIT_<NAME>` sets one. */
import type { LimitRow } from "./limits/limit-row.ts";
import { recordLimits } from "./limits/record-limits.ts";
import { requestLimits } from "./limits/request-limits.ts";
import { runLimits } from "./limits/run-limits.ts";
import { threadLimits } from "./limits/thread-limits.ts";

export const limitTable = {
  ...requestLimits,
  ...runLimits,
  ...threadLimits,
  ...recordLimits,
} as const;

export type LimitName = keyof typeof limitTable;
export type Limits = Readonly<Record<LimitName, number>>;

export const limitNames = Object.keys(limitTable) as LimitName[];

export const defaultLimits = Object.fromEntries(limitNames.map((name) => [name, limitTable[name].default])) as Limits;

/** `webhookWallMs` -> `LIMIT_WEBHOOK_WALL_MS` */
export function limitVariable(name: LimitName): string {
  return `LIMIT_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/**
 * Ends a message with how to raise the limit: `raise the limit splitItems with LIMIT_SPLIT_ITEMS, for this flow alone
 * with ...`.
 */
export function howToRaise(name: LimitName): string {
  const own = defaultCeiling(name) === undefined ? "" : `, for this flow alone with '${name}' in its limits`;
  return `raise the limit ${name} with ${limitVariable(name)}${own}`;
}

/** The ceiling for flows that override the limit; undefined for a limit that flows cannot override. */
export function defaultCeiling(name: LimitName): number | undefined {
  const row: LimitRow = limitTable[name];
  return row.ceiling;
}
