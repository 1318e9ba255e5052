/**
 * The events that wait for one slow subscriber: bounded in bytes, with the number of missing events where some had to
 * be dropped.
 */

import type { Gap } from "./event-ring.ts";
import { joinFrames } from "./sse.ts";

interface Waiting {
  readonly seq: number;
  readonly frame: Buffer;
  readonly kept: boolean;
  /** 0: the frame is an event; else the frame reports this many missing events. */
  readonly missing: number;
}

interface Hole {
  from: number;
  to: number;
  count: number;
}

/** How many bytes a hole, and the smallest event, count as: an encoded marker is never longer. */
const holeBytes = 128;

/**
 * Nothing is refused until the queue is full. Then it sheds until it has drained to half: events that are not `kept`
 * are dropped as they come, and a kept one takes the place of the newest others. A hole stays where its events were.
 */
export class StreamQueue {
  readonly #cap: number;
  readonly #encode: (gap: Gap) => Buffer;
  #items: (Waiting | Hole)[] = [];
  #head = 0;
  #bytes = 0;
  /** How many of `#bytes` could be dropped for a kept event. */
  #looseBytes = 0;
  #shedding = false;
  #dropped = 0;

  constructor(capBytes: number, encode: (gap: Gap) => Buffer) {
    this.#cap = capBytes;
    this.#encode = encode;
  }

  get empty(): boolean {
    return this.#head === this.#items.length;
  }

  /** The bytes that wait; never more than the cap. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many events were dropped in all. */
  get dropped(): number {
    return this.#dropped;
  }

  /**
   * Adds an event. `kept`: it is dropped later than the others. `missing`: the frame is no event but announces so many
   * missing ones; when it has to be dropped, they are counted with the others of its hole.
   */
  offer(seq: number, frame: Buffer, kept: boolean, missing = 0): void {
    const cost = costOf(frame);
    if (!this.#fits(cost)) {
      this.#shedding = true;
      if (kept) this.#makeRoom(cost);
    }
    if ((this.#shedding && !kept) || !this.#fits(cost)) {
      this.#drop(seq, missing);
      return;
    }
    this.#items.push({ seq, frame, kept, missing });
    this.#bytes += cost;
    if (!kept) this.#looseBytes += cost;
  }

  /**
   * Removes the first events, at most `maxBytes` of them but at least one, and returns them as the next bytes to write;
   * undefined: nothing waits.
   */
  take(maxBytes: number): Buffer | undefined {
    const frames: Buffer[] = [];
    for (let size = 0; size < maxBytes && this.#head < this.#items.length; this.#head += 1) {
      const item = this.#items[this.#head] as Waiting | Hole;
      const frame = "frame" in item ? item.frame : this.#encode({ ...item, reason: "slow_consumer" });
      if (frames.length > 0 && size + frame.length > maxBytes) break;
      frames.push(frame);
      size += frame.length;
      this.#uncount(item);
    }
    if (this.#head === this.#items.length || this.#head > 1024) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    if (this.#bytes <= this.#cap / 2) this.#shedding = false;
    return joinFrames(frames);
  }

  /** Whether the event fits, with room left for the hole that the next one may have to become. */
  #fits(cost: number): boolean {
    return this.#bytes + cost + holeBytes <= this.#cap;
  }

  #uncount(item: Waiting | Hole): void {
    const cost = "frame" in item ? costOf(item.frame) : holeBytes;
    this.#bytes -= cost;
    if ("frame" in item && !item.kept) this.#looseBytes -= cost;
  }

  /**
   * Turns loose events into holes, newest first: for this event and a quarter of the queue besides, so that it is rare.
   */
  #makeRoom(cost: number): void {
    let wanted = Math.min(this.#looseBytes, cost + this.#cap / 4);
    if (wanted <= 0) return;
    const items = this.#items.slice(this.#head);
    let oldest = items.length;
    while (wanted > 0 && oldest > 0) {
      oldest -= 1;
      const item = items[oldest] as Waiting | Hole;
      if ("frame" in item && !item.kept) wanted -= costOf(item.frame);
    }
    this.#items = items.slice(0, oldest);
    this.#head = 0;
    for (const item of items.slice(oldest)) {
      if ("frame" in item && item.kept) {
        this.#items.push(item);
        continue;
      }
      this.#uncount(item);
      if ("frame" in item) {
        this.#drop(item.seq, item.missing);
      } else {
        this.#addHole(item.from, item.to, item.count);
      }
    }
  }

  #drop(seq: number, missing: number): void {
    if (missing === 0) this.#dropped += 1;
    this.#addHole(seq, seq, missing || 1);
  }

  #addHole(from: number, to: number, count: number): void {
    const last = this.empty ? undefined : this.#items.at(-1);
    if (last !== undefined && !("frame" in last)) {
      last.to = to;
      last.count += count;
      return;
    }
    this.#items.push({ from, to, count });
    this.#bytes += holeBytes;
  }
}

function costOf(frame: Buffer): number {
  return Math.max(frame.length, holeBytes);
}
