/** Where in a stream's ring a new subscriber begins to read, and which events it missed. */
import type { EventRing } from "./event-stream-ring.ts";

/** The place of an event: the epoch of the stream that it belongs to, and its number in it. */
export interface EventId {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * `data` of an `event: dropped` that is sent to one reader: `count` events are missing, the first numbered `from`, the
 * last `to`. Those of a `resume_gap` are counted by their numbers, whatever the reader's filters would have let
 * through.
 */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly reason: "resume_gap" | "slow_consumer";
}

export interface Start {
  /** The number of the first event to read. */
  readonly next: number;
  readonly gap: Gap | undefined;
}

export const eventIdPattern = "^([\\s\\S]+)-([0-9]{1,15})$";
const eventId = new RegExp(eventIdPattern);

/** Reads `<epoch>-<seq>`; undefined when the text is not of that form. */
export function parseEventId(text: string): EventId | undefined {
  const [, epoch, digits] = eventId.exec(text) ?? [];
  return epoch === undefined || digits === undefined ? undefined : { epoch, seq: Number(digits) };
}

/**
 * A known id whose successors are all in the ring: the reader begins right behind it. Any other id (too old, another
 * epoch, not yet given): a gap over all that this epoch has had, then live; how much of another epoch is missing is
 * unknown. `replay` counts matching events; an exact resume takes precedence over it, and it shortens a gap.
 */
export function startOf<T>(
  ring: EventRing<T>,
  epoch: string,
  lastSeen: EventId | undefined,
  replay: number,
  matches: (event: T) => boolean,
): Start {
  const known = lastSeen !== undefined && lastSeen.epoch === epoch && lastSeen.seq <= ring.last;
  if (known && lastSeen.seq + 1 >= ring.first) return { next: lastSeen.seq + 1, gap: undefined };
  const next = replayFrom(ring, replay, matches);
  if (lastSeen === undefined) return { next, gap: undefined };
  const from = known ? lastSeen.seq + 1 : 1;
  return { next, gap: { from, to: next - 1, count: next - from, reason: "resume_gap" } };
}

function replayFrom<T>(ring: EventRing<T>, replay: number, matches: (event: T) => boolean): number {
  let next = ring.last + 1;
  let found = 0;
  for (let seq = ring.last; seq >= ring.first && found < replay; seq -= 1) {
    const event = ring.at(seq);
    if (event === undefined || !matches(event)) continue;
    found += 1;
    next = seq;
  }
  return next;
}
