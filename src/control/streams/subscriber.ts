/** One reader of a stream: which events it still has to get, and how fast it takes them. */

import type { ServerResponse } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import type { EventRing, Gap, SharedSlices, Start, StreamEntry } from "./event-ring.ts";
import { encodeEvent, heartbeatFrame, SseSocket } from "./sse.ts";
import type { Subscription, Watchable } from "./stream-filter.ts";
import { StreamQueue } from "./subscriber-queue.ts";

/** What a subscriber needs from its stream. */
export interface SubscriberHost<E extends Watchable> {
  readonly ring: EventRing<StreamEntry<E>>;
  readonly limits: Limits;
  readonly slices: SharedSlices;
  frame(entry: StreamEntry<E>, body: Subscription["body"]): Buffer;
  closed(subscriber: StreamSubscriber<E>): void;
}

/** Bytes given to the socket at once; the next are given when the kernel has taken these. */
const sliceBytes = 16 * 1024;

/**
 * A subscriber reads the ring at its own pace as long as its socket takes what it is given, so that a burst of events
 * costs it nothing. Events that come while the socket is full wait in its queue, which is bounded and chooses what to
 * drop. What it missed before it came (resume, replay) is always read from the ring, and lost only when it leaves the
 * ring. At most one slice is on its way in the socket, so whatever else waits can be counted and dropped.
 */
export class StreamSubscriber<E extends Watchable> {
  readonly subscription: Subscription;
  readonly #host: SubscriberHost<E>;
  readonly #queue: StreamQueue;
  readonly #socket: SseSocket;
  #preamble: Buffer | undefined;
  /** The number of the next event to read from the ring; undefined while events go to the queue. */
  #next: number | undefined;
  /** The number of the last event from before the subscription. */
  readonly #missedUntil: number;
  /** Events that left the ring before this reader got to them. */
  #overrun: { from: number; to: number; count: number } | undefined;
  #overrunTotal = 0;
  #open = false;
  #writing = false;
  #quiet = false;
  #ending = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(host: SubscriberHost<E>, res: ServerResponse, subscription: Subscription, ready: object, start: Start) {
    this.#host = host;
    this.subscription = subscription;
    this.#next = start.next;
    this.#missedUntil = host.ring.last;
    this.#queue = new StreamQueue(host.limits.streamBufferBytes, encodeGap);
    const frames = [encodeEvent("ready", ready)];
    if (start.gap !== undefined) frames.push(encodeGap(start.gap));
    this.#preamble = Buffer.concat(frames);
    this.#socket = new SseSocket(res, {
      onOpen: () => {
        this.#open = true;
        this.pump();
      },
      onClose: () => {
        clearTimeout(this.#stall);
        host.closed(this);
      },
    });
  }

  /** How many events were dropped because this reader was too slow. */
  get dropped(): number {
    return this.#queue.dropped + this.#overrunTotal;
  }

  /** Offers a new event. `evicted`: the entries that left the ring for it. */
  offer(entry: StreamEntry<E>, evicted: readonly StreamEntry<E>[]): void {
    if (this.#next === undefined) {
      if (this.#writing || !this.#queue.empty) this.#enqueue(entry);
      else this.#next = entry.seq;
      return;
    }
    for (const old of evicted) if (this.#next <= old.seq) this.#countOverrun(old);
    if (this.#writing && this.#next > this.#missedUntil) this.#leaveRing();
  }

  /** Gives the next slice to the socket, unless it still has one. */
  pump(): void {
    if (!this.#open) return;
    if (this.#writing) {
      if (this.#pending) this.#watchStall();
      return;
    }
    const slice = this.#takeSlice();
    if (slice !== undefined) {
      this.#write(slice);
    } else if (this.#ending) {
      this.#open = false;
      this.#watchStall();
      this.#socket.end(encodeEvent("end", {}));
    }
  }

  /** Writes a comment when nothing was written since the last beat. */
  beat(): void {
    if (!this.#open) return;
    if (this.#writing) this.#watchStall();
    else if (this.#quiet) this.#write(heartbeatFrame);
    this.#quiet = true;
  }

  /** Sends what waits, then `event: end`; a reader that does not take it is cut off when it stalls. */
  end(): void {
    this.#ending = true;
    this.pump();
    if (this.#writing) this.#watchStall();
  }

  get #pending(): boolean {
    return this.#ending || !this.#queue.empty || this.#next !== undefined;
  }

  #write(slice: Buffer): void {
    this.#writing = true;
    this.#quiet = false;
    this.#socket.write(slice, this.#written);
  }

  readonly #written = (): void => {
    this.#writing = false;
    clearTimeout(this.#stall);
    this.#stall = undefined;
    this.pump();
  };

  #watchStall(): void {
    this.#stall ??= setTimeout(() => this.#socket.destroy(), this.#host.limits.streamStallMs).unref();
  }

  #takeSlice(): Buffer | undefined {
    if (this.#preamble !== undefined) {
      const preamble = this.#preamble;
      this.#preamble = undefined;
      return preamble;
    }
    return this.#readRing() ?? this.#queue.take(sliceBytes);
  }

  #readRing(): Buffer | undefined {
    const frames: Buffer[] = [];
    if (this.#overrun !== undefined) frames.push(encodeGap({ ...this.#overrun, reason: "slow_consumer" }));
    this.#overrun = undefined;
    if (this.#next !== undefined) {
      const { ring } = this.#host;
      for (let size = 0; size < sliceBytes && this.#next <= ring.last; this.#next += 1) {
        const entry = ring.at(this.#next);
        if (entry === undefined || !this.#wants(entry)) continue;
        const frame = this.#host.frame(entry, this.subscription.body);
        frames.push(frame);
        size += frame.length;
      }
      if (this.#next > ring.last) this.#next = undefined;
    }
    return this.#host.slices.join(frames);
  }

  /** Moves the rest of the ring, up to the newest event, to the queue. */
  #leaveRing(): void {
    const { ring } = this.#host;
    for (let seq = this.#next ?? 0; seq <= ring.last; seq += 1) {
      const entry = ring.at(seq);
      if (entry !== undefined) this.#enqueue(entry);
    }
    this.#next = undefined;
  }

  #enqueue(entry: StreamEntry<E>): void {
    if (!this.#wants(entry)) return;
    this.#queue.offer(entry.seq, this.#host.frame(entry, this.subscription.body), entry.kept, entry.loss?.count);
  }

  #wants({ event, loss }: StreamEntry<E>): boolean {
    if (loss !== undefined) return this.subscription.mayMiss(loss);
    return event !== undefined && this.subscription.matches(event);
  }

  #countOverrun(evicted: StreamEntry<E>): void {
    this.#next = evicted.seq + 1;
    if (!this.#wants(evicted)) return;
    if (evicted.loss === undefined) this.#overrunTotal += 1;
    this.#overrun ??= { from: evicted.seq, to: evicted.seq, count: 0 };
    this.#overrun.to = evicted.seq;
    this.#overrun.count += evicted.loss?.count ?? 1;
  }
}

function encodeGap(gap: Gap): Buffer {
  return encodeEvent("dropped", gap);
}
