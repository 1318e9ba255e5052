/** The trace stream, and the word of shared memory by which threads of flows know whether it has subscribers. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limits } from "../../shared/limits.ts";
import { Interest, type LossReason, type MessagePreview } from "../../shared/protocol.ts";
import { lengthOfAttachments } from "../../shared/shown-attachment.ts";
import type { TraceEvent } from "../../shared/trace-event.ts";
import { EventStream } from "./event-stream.ts";
import type { StreamQuery } from "./stream-filter.ts";

export class TraceHub {
  /** An Int32Array of one word, bits of `Interest`. Threads are to read it; what one of them writes there is put right. */
  readonly interest = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  readonly #word = new Int32Array(this.interest);
  #bits = 0;
  readonly #stream: EventStream<TraceEvent>;
  readonly #limits: Limits;
  /** A timer for each bit that no reader needs any more. It stays set for a while, so that a reader which reconnects gets the events that it missed. */
  readonly #lingering = new Map<number, NodeJS.Timeout>();

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#stream = new EventStream("trace", limits, {
      shape: (event, body) => (body === "none" ? withoutBodies(event) : withPreviews(event, limits.previewBytes)),
      bytes: (event) => lengthOf(event.in) + lengthOf(event.out) + (event.error?.message.length ?? 0),
      kept: (event) => event.stepId === undefined,
      onSubscribers: () => this.#settle(),
    });
  }

  /** false: events need not be built. */
  get watched(): boolean {
    if (this.#word[0] !== this.#bits) this.#word[0] = this.#bits;
    return this.#bits !== 0;
  }

  get subscriberCount(): number {
    return this.#stream.subscriberCount;
  }

  /** How many events were dropped because a reader was too slow. */
  get dropped(): number {
    return this.#stream.dropped;
  }

  publish(event: TraceEvent): void {
    if (this.watched) this.#stream.publish(event);
  }

  /** Reports to the readers that may have wanted them how many events of a thread will never arrive. */
  lost(flowId: string, reason: LossReason, count: number): void {
    if (this.watched && count > 0) this.#stream.publishLoss({ flowId, reason, count });
  }

  /** See `EventStream.subscribe`. */
  subscribe(req: IncomingMessage, res: ServerResponse, query: StreamQuery): void {
    this.#stream.subscribe(req, res, query);
  }

  close(): void {
    this.#stream.close();
  }

  #settle(): void {
    const full = this.#stream.wants("full");
    this.#want(Interest.trace, this.#stream.subscriberCount > 0);
    this.#want(Interest.preview, full || this.#stream.wants("preview"));
    this.#want(Interest.full, full);
  }

  #want(bit: number, wanted: boolean): void {
    if (wanted) {
      clearTimeout(this.#lingering.get(bit));
      this.#lingering.delete(bit);
      this.#setBits(this.#bits | bit);
    } else if ((this.#bits & bit) !== 0 && !this.#lingering.has(bit)) {
      this.#lingering.set(bit, setTimeout(() => this.#lapse(bit), this.#limits.streamLingerMs).unref());
    }
  }

  #lapse(bit: number): void {
    this.#lingering.delete(bit);
    this.#setBits(this.#bits & ~bit);
    // From now on threads make no events, so readers cannot resume from an earlier id.
    if (bit === Interest.trace) this.#stream.restart();
  }

  #setBits(bits: number): void {
    this.#bits = bits;
    Atomics.store(this.#word, 0, bits);
  }
}

function lengthOf(preview: MessagePreview | undefined): number {
  if (preview === undefined) return 0;
  let length = preview.body.length + lengthOfAttachments(preview.attachments);
  for (const name in preview.headers) length += name.length + (preview.headers[name]?.length ?? 0);
  return length;
}

function withoutBodies(event: TraceEvent): TraceEvent {
  if (event.in === undefined && event.out === undefined) return event;
  const { in: _in, out: _out, ...rest } = event;
  return rest;
}

/** Cuts bodies for readers that asked for previews: threads send full bodies as soon as one reader wants them. */
function withPreviews(event: TraceEvent, bytes: number): TraceEvent {
  const cutIn = event.in && cut(event.in, bytes);
  const cutOut = event.out && cut(event.out, bytes);
  if (cutIn === event.in && cutOut === event.out) return event;
  return { ...event, ...(cutIn && { in: cutIn }), ...(cutOut && { out: cutOut }) };
}

function cut(preview: MessagePreview, bytes: number): MessagePreview {
  const { body } = preview;
  if (body.length * 3 <= bytes || Buffer.byteLength(body) <= bytes) return preview;
  const { read } = new TextEncoder().encodeInto(body, new Uint8Array(Math.max(0, bytes - 3)));
  return { ...preview, body: `${body.slice(0, read)}…` };
}
