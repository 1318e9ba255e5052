/**
 * The last events of a stream, numbered from 1: a reader that lost its connection resumes from them. Each is encoded once per form, and a
 * slice of them is joined once for all readers that get the same one: most are at the same place of the stream.
 */
import type { LossReason } from "../../shared/protocol.ts";
import { encodeEvent, joinFrames } from "./sse.ts";
import type { BodyWanted, EventId, StreamName } from "./stream-filter.ts";

const none: readonly never[] = [];

export class EventRing<T> {
  readonly #slots: (T | undefined)[];
  readonly #weights: number[];
  readonly #maxWeight: number;
  #weight = 0;
  #first = 1;
  #last = 0;

  /**
   * `capacity`: how many events are kept, at least one; `maxWeight`: how much they may weigh together; the newest is
   * kept in any case.
   */
  constructor(capacity: number, maxWeight = Number.POSITIVE_INFINITY) {
    const length = Math.max(1, Math.floor(capacity));
    this.#slots = new Array<T | undefined>(length).fill(undefined);
    this.#weights = new Array<number>(length).fill(0);
    this.#maxWeight = maxWeight;
  }

  /** The number of the newest event, 0 before the first. */
  get last(): number {
    return this.#last;
  }

  /** The number of the oldest event that is kept; `last + 1` when there is none. */
  get first(): number {
    return this.#first;
  }

  /** The weight of all kept events. */
  get weight(): number {
    return this.#weight;
  }

  /** Gives the event the next number; returns the events that were dropped for it, oldest first. */
  push(event: T, weight = 0): readonly T[] {
    let evicted: T[] | undefined;
    while (this.#first <= this.#last && (this.#full || this.#weight + weight > this.#maxWeight)) {
      evicted ??= [];
      evicted.push(this.#shift());
    }
    this.#last += 1;
    const slot = this.#last % this.#slots.length;
    this.#slots[slot] = event;
    this.#weights[slot] = weight;
    this.#weight += weight;
    return evicted ?? none;
  }

  at(seq: number): T | undefined {
    return seq < this.#first || seq > this.#last ? undefined : this.#slots[seq % this.#slots.length];
  }

  /** Forgets every event and counts from 1 again. */
  reset(): void {
    this.#slots.fill(undefined);
    this.#weight = 0;
    this.#first = 1;
    this.#last = 0;
  }

  get #full(): boolean {
    return this.#last - this.#first + 1 === this.#slots.length;
  }

  #shift(): T {
    const slot = this.#first % this.#slots.length;
    const event = this.#slots[slot] as T;
    this.#slots[slot] = undefined;
    this.#weight -= this.#weights[slot] ?? 0;
    this.#first += 1;
    return event;
  }
}

/** Events that were lost before they reached the stream. */
export interface Loss {
  readonly flowId: string;
  readonly reason: LossReason;
  readonly count: number;
}

/**
 * A numbered event, or the mark of a loss, with its encodings. Each encoding is made when the first reader needs it.
 */
export interface StreamEntry<E> {
  readonly seq: number;
  readonly event: E | undefined;
  readonly loss?: Loss;
  /** true: a slow reader loses this event after others. */
  readonly kept: boolean;
  plain?: Buffer | undefined;
  none?: Buffer | undefined;
  preview?: Buffer | undefined;
}

/** Makes the event for a reader that asked for `body`; returns the event itself where nothing is to be taken out. */
export type Shape<E> = (event: E, body: "none" | "preview") => object;

/** Above this the oldest entries lose their encodings; a reader that resumes that far back has them made again. */
const keptBytes = 2 * 1024 * 1024;

/** Encodes entries, and keeps the encodings of the newest ones. */
export class EventFrames<E extends object> {
  readonly #name: StreamName;
  readonly #shape: Shape<E>;
  readonly #at: (seq: number) => StreamEntry<E> | undefined;
  #bytes = 0;
  /** Entries before this one keep no encoding. */
  #from = 1;

  /** `at` finds the entry with a number while the stream keeps it. */
  constructor(name: StreamName, shape: Shape<E> | undefined, at: (seq: number) => StreamEntry<E> | undefined) {
    this.#name = name;
    this.#shape = shape ?? ((event) => event);
    this.#at = at;
  }

  /** Returns an entry's frame; readers that get the same text share one buffer. */
  frame(entry: StreamEntry<E>, body: BodyWanted, epoch: string): Buffer {
    const slot = body === "full" ? "plain" : body;
    const made = entry[slot];
    if (made !== undefined) return made;
    const shaped = entry.event && (body === "full" ? entry.event : this.#shape(entry.event, body));
    const whole = shaped === entry.event;
    const known = whole ? entry.plain : undefined;
    const frame = known ?? this.#encode(entry, shaped, epoch);
    if (entry.seq < this.#from) return frame;
    entry[slot] = frame;
    if (whole) entry.plain = frame;
    if (known === undefined) this.#bytes += frame.length;
    while (this.#bytes > keptBytes && this.#from < entry.seq) {
      const oldest = this.#at(this.#from);
      if (oldest !== undefined) this.forget(oldest);
      this.#from += 1;
    }
    return frame;
  }

  /** Encodes an entry. The mark of a loss has an id, too, so that a reader which resumes after it does not get it again. */
  #encode({ seq, loss }: StreamEntry<E>, shaped: object | undefined, epoch: string): Buffer {
    const id = `${epoch}-${seq}`;
    if (loss === undefined) return encodeEvent(this.#name, shaped ?? {}, id);
    return encodeEvent(
      "dropped",
      { from: seq, to: seq, count: loss.count, reason: loss.reason, flowId: loss.flowId },
      id,
    );
  }

  /** Called when the stream no longer keeps the entry. */
  forget(entry: StreamEntry<E>): void {
    for (const frame of new Set([entry.plain, entry.none, entry.preview])) this.#bytes -= frame?.length ?? 0;
    entry.plain = entry.none = entry.preview = undefined;
  }

  /** Called when the stream begins to count from 1 again. */
  reset(): void {
    this.#bytes = 0;
    this.#from = 1;
  }
}

const remembered = 4;

/** Joins frames into slices, and shares the last slices among readers. */
export class SharedSlices {
  #recent: { readonly frames: readonly Buffer[]; readonly slice: Buffer | undefined }[] = [];

  /** Joins the frames; undefined when there are none. */
  join(frames: readonly Buffer[]): Buffer | undefined {
    if (frames.length < 2) return frames[0];
    const known = this.#recent.find((one) => sameFrames(one.frames, frames));
    if (known !== undefined) return known.slice;
    const slice = joinFrames(frames);
    this.#recent = [{ frames, slice }, ...this.#recent.slice(0, remembered - 1)];
    return slice;
  }
}

function sameFrames(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((frame, i) => frame === b[i]);
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
