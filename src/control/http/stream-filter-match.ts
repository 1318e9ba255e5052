/** Matches an event against a subscriber's filters: ids with `*`, kinds, a minimum level, a sample of runs. */
import { levels } from "../../shared/protocol.ts";

/** The fields that filters look at: trace events and log events both have this shape. */
export interface Watchable {
  readonly flowId?: string | undefined;
  readonly routeId?: string | undefined;
  readonly runId?: string | undefined;
  readonly stepId?: string | undefined;
  readonly testSessionId?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: string | undefined;
  readonly level?: string | undefined;
}

export type Predicate = (event: Watchable) => boolean;

/**
 * Whether `text` matches `pattern`, where `*` stands for any characters, or none. No regular expression, since
 * strangers write the pattern.
 */
export function wildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  if (parts.length === 1) return text === pattern;
  const last = parts.at(-1) ?? "";
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** True for events whose `field` is one of the values; an event without the field does not match. */
export function oneOf(field: keyof Watchable, values: readonly string[]): Predicate {
  const exact = new Set(values.filter((value) => !value.includes("*")));
  const patterns = values.filter((value) => value.includes("*"));
  return (event) => {
    const value = event[field];
    if (value === undefined) return false;
    return exact.has(value) || patterns.some((pattern) => wildcard(pattern, value));
  };
}

/** Matches events of a level of at least `least`, an index into `levels`. */
export function atLeast(least: number): Predicate {
  const accepted = new Set<string>(levels.slice(least));
  return (event) => event.level !== undefined && accepted.has(event.level);
}

/** True for all events of about `share` of the runs, the same runs each time, and for events that belong to no run. */
export function sampleOfRuns(share: number): Predicate {
  const below = share * 2 ** 32;
  return (event) => event.runId === undefined || hash(event.runId) < below;
}

/** FNV-1a over the characters, then MurmurHash3's finalizer: run ids hardly differ in their first characters. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
