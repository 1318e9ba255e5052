/** Events as frames: each is encoded once per form, and the buffers are kept for readers that come to them later. */
import type { LossReason } from "../../shared/protocol.ts";
import { encodeEvent } from "./sse.ts";
import type { BodyWanted, StreamName } from "./stream-filter.ts";

/** Events that were lost before they reached the stream. */
export interface Loss {
  readonly flowId: string;
  readonly reason: LossReason;
  readonly count: number;
}

/**
 * A numbered event, or the mark of a loss in its place, with its encodings, each made when the first reader needs it.
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

  /** The mark of a loss has an id, so that a reader which resumes behind it is not sent it again. */
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
