/**
 * A stream of events for any number of readers (docs/api.md 6): numbered, filtered, resumable; it never waits for a
 * reader.
 */

import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import {
  EventFrames,
  EventRing,
  type Loss,
  type Shape,
  SharedSlices,
  type StreamEntry,
  startOf,
} from "./event-ring.ts";
import {
  type BodyWanted,
  parseSubscription,
  type StreamName,
  type StreamQuery,
  type Watchable,
} from "./stream-filter.ts";
import { StreamSubscriber, type SubscriberHost } from "./subscriber.ts";

/** How one kind of event differs from another. */
export interface StreamTraits<E> {
  readonly shape?: Shape<E>;
  /** The approximate bytes of the event's long texts. */
  readonly bytes?: (event: E) => number;
  /** true: slow readers lose this event after others. */
  readonly kept?: (event: E) => boolean;
  /** Called after a subscriber has come or gone. */
  readonly onSubscribers?: () => void;
}

/** The approximate bytes of an event without long texts. */
const entryBytes = 512;

/** How many readers are written to in one turn of the event loop: about a millisecond's work. */
const readersATurn = 100;

export class EventStream<E extends Watchable> {
  readonly name: StreamName;
  readonly #limits: Limits;
  readonly #traits: StreamTraits<E>;
  readonly #ring: EventRing<StreamEntry<E>>;
  readonly #frames: EventFrames<E>;
  readonly #subscribers = new Set<StreamSubscriber<E>>();
  readonly #host: SubscriberHost<E>;
  #epoch = newEpoch();
  #droppedBefore = 0;
  /** The round over all readers under way: each reader gets the events that were published before its turn. */
  #round: Iterator<StreamSubscriber<E>> | undefined;
  /** true: events were published since the round began. */
  #behind = false;
  #flushing = false;
  #heartbeat: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(name: StreamName, limits: Limits, traits: StreamTraits<E> = {}) {
    this.name = name;
    this.#limits = limits;
    this.#traits = traits;
    this.#ring = new EventRing(limits.streamRing, limits.streamRingBytes);
    this.#frames = new EventFrames(name, traits.shape, (seq) => this.#ring.at(seq));
    this.#host = {
      ring: this.#ring,
      limits,
      slices: new SharedSlices(),
      frame: (entry, body) => this.#frames.frame(entry, body, this.#epoch),
      closed: (subscriber) => this.#remove(subscriber),
    };
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  /** The number of the newest event. */
  get lastSeq(): number {
    return this.#ring.last;
  }

  /** How many events were dropped because a reader was too slow, counted once per reader. */
  get dropped(): number {
    let total = this.#droppedBefore;
    for (const subscriber of this.#subscribers) total += subscriber.dropped;
    return total;
  }

  /** Whether some reader wants bodies in this form. */
  wants(body: BodyWanted): boolean {
    for (const { subscription } of this.#subscribers) if (subscription.body === body) return true;
    return false;
  }

  /** Numbers the event, keeps it for readers that resume, and sends it at the end of this turn of the event loop. */
  publish(event: E): void {
    this.#push({ seq: this.#ring.last + 1, event, kept: this.#traits.kept?.(event) ?? false });
  }

  /**
   * Puts a mark where events are missing for every reader. It is numbered, sent and kept like an event.
   */
  publishLoss(loss: Loss): void {
    this.#push({ seq: this.#ring.last + 1, event: undefined, loss, kept: true });
  }

  /**
   * Answers the request with the stream. Throws AppError (`bad_query`, `too_many_subscribers`, `draining`) before
   * anything is written; otherwise the head is sent in the next turn of the event loop, with the headers that `res` has
   * by then.
   */
  subscribe(req: IncomingMessage, res: ServerResponse, query: StreamQuery): void {
    const header = req.headers["last-event-id"];
    const subscription = parseSubscription(this.name, query, typeof header === "string" ? header : undefined);
    if (this.#closed) throw new AppError("draining", "the runtime is stopping", { "Retry-After": "5" });
    if (this.#subscribers.size >= this.#limits.streamSubscribers) {
      const message = `the ${this.name} stream has its ${this.#limits.streamSubscribers} subscribers; try again later`;
      throw new AppError("too_many_subscribers", message, { "Retry-After": "5" });
    }
    const start = startOf(this.#ring, this.#epoch, subscription.lastSeen, subscription.replay, (entry) =>
      entry.event === undefined ? false : subscription.matches(entry.event),
    );
    const ready = { stream: this.name, epoch: this.#epoch, seq: this.#ring.last };
    this.#subscribers.add(new StreamSubscriber(this.#host, res, subscription, ready, start));
    this.#heartbeat ??= setInterval(this.#beat, this.#limits.streamHeartbeatMs).unref();
    this.#traits.onSubscribers?.();
  }

  /** Begins a new epoch after the publisher has paused, so that no reader resumes across events that were not published. */
  restart(): void {
    this.#ring.reset();
    this.#frames.reset();
    this.#epoch = newEpoch();
  }

  /** Ends every subscription with `event: end`; later ones are refused. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const subscriber of this.#subscribers) subscriber.end();
  }

  #push(entry: StreamEntry<E>): void {
    if (this.#closed) return;
    const weight = entryBytes + (entry.event === undefined ? 0 : (this.#traits.bytes?.(entry.event) ?? 0));
    const evicted = this.#ring.push(entry, weight);
    for (const old of evicted) this.#frames.forget(old);
    if (this.#subscribers.size === 0) return;
    for (const subscriber of this.#subscribers) subscriber.offer(entry, evicted);
    this.#behind = true;
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(this.#flush);
  }

  /** Writing to a thousand sockets takes many milliseconds, so other work gets turns in between. */
  readonly #flush = (): void => {
    if (this.#round === undefined) {
      this.#behind = false;
      this.#round = this.#subscribers.values();
    }
    let served = 0;
    for (; served < readersATurn; served += 1) {
      const next = this.#round.next();
      if (next.done === true) break;
      next.value.pump();
    }
    if (served < readersATurn) {
      this.#round = undefined;
      this.#flushing = this.#behind;
    }
    if (this.#flushing) setImmediate(this.#flush);
  };

  readonly #beat = (): void => {
    for (const subscriber of this.#subscribers) subscriber.beat();
  };

  #remove(subscriber: StreamSubscriber<E>): void {
    if (!this.#subscribers.delete(subscriber)) return;
    this.#droppedBefore += subscriber.dropped;
    if (this.#subscribers.size === 0) {
      clearInterval(this.#heartbeat);
      this.#heartbeat = undefined;
    }
    this.#traits.onSubscribers?.();
  }
}

/** Makes an epoch, different at each boot. It has no dash, which ends the epoch in an event's id. */
function newEpoch(): string {
  return randomBytes(4).toString("hex");
}
