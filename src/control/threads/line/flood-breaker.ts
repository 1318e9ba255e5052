/** Weighs what a thread sends, in messages, so that it takes neither a whole turn of the event loop nor all of them together. */
import { widthOf } from "../../../shared/frame-shape.ts";
import { whole } from "../../../shared/frame-values.ts";
import { ToControl, type ToControlShape, toControl } from "../../../shared/frames-to-control.ts";
import { manyFields } from "../../../shared/outbox.ts";
import { timingCount } from "./run-frames.ts";
import { mostName } from "./thread-frames.ts";
import type { ActiveRun } from "./thread-runs.ts";

const KiB = 1024;

/**
 * Bytes that weigh as much as a message; texts have theirs by their characters. A thread sends large frames for what it was given, and
 * nothing else of it is large: results of the runs under way, each once, what those runs call and what sessions record of them, and events
 * that it has credits for.
 *
 * The most of an honest thread comes when the main loop has stood still for a second: 2000 announced runs that have begun in that time (100
 * messages in their fields) and call another flow (one each, and 100), 2000 events (90, and 130 if each has 16 KiB), 128 results with all
 * their timings (250, and 120 for 1 MiB each): 2800 together.
 */
export const bytesOfMessage = { unasked: 4 * KiB, asked: 256 * KiB, result: 1024 * KiB } as const;

/** A run that a thread is given may be answered by a message of its own, and make a call to another flow. */
export const messagesOfRun = 2;

/**
 * As much as may come at once is forgotten in this time (ms) between turns that have messages of the thread. The time that is spent with
 * reading them does not count: a slow machine would never call anything a flood.
 */
const forgetMs = 50;

/** The most bytes of an event beside its text, which is cut. */
const mostBesideEvent = 2 * mostName;

/** By a frame's number: how far behind it the slot of its run is; 0: it has none. */
const slotOffsets: number[] = [];
for (const { number, fields } of Object.values(toControl)) {
  slotOffsets[number] = fields.findIndex(([name]) => name === "slot") + 1;
}

export class FloodBreaker {
  readonly #most: number;
  #weight = 0;
  #inTurn = false;
  #endedAt = 0;
  readonly #end = (): void => {
    this.#inTurn = false;
    this.#endedAt = performance.now();
  };

  /** `most`: the messages that may come at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Makes room for the messages of a run that the thread is given: a main loop without a pause, or a busy flow, is no flood. */
  given(): void {
    this.#weight = Math.max(0, this.#weight - messagesOfRun);
  }

  /** Returns true when it is too much: the thread must be cut off before the next message is read. */
  count(messages: number, bytes = 0, bytesEach: number = bytesOfMessage.unasked): boolean {
    if (!this.#inTurn) {
      this.#inTurn = true;
      this.#weight = Math.max(0, this.#weight - ((performance.now() - this.#endedAt) * this.#most) / forgetMs);
      setImmediate(this.#end);
    }
    this.#weight += messages + bytes / bytesEach;
    return this.#weight > this.#most;
  }
}

/** Returns the bytes of the texts and byte arrays among the fields from `from` to before `to`; of byte arrays all that travels with them. */
export function bytesIn(frames: readonly unknown[], from: number, to: number): number {
  const end = Math.min(to, frames.length);
  let bytes = 0;
  let last: unknown;
  for (let i = from; i < end; i += 1) {
    const field = frames[i];
    if (typeof field === "string") bytes += field.length;
    else if (field instanceof Uint8Array && field.buffer !== last) {
      last = field.buffer;
      bytes += field.buffer.byteLength;
    }
  }
  return bytes;
}

/** `count` of FloodBreaker; the thread may be over then. */
type Count = (messages: number, bytes: number, bytesEach: number) => void;

/** Weighs the frames of one thread by their description (shared/frames-to-control.ts), each before anything of it is done. */
export class FrameScale {
  readonly #active: { get(slot: number): ActiveRun | undefined };
  readonly #mostOfEvent: number;
  readonly #count: Count;

  /** `active`: the runs under way by slot; `eventBytes`: the limit of the flow. */
  constructor(active: { get(slot: number): ActiveRun | undefined }, eventBytes: number, count: Count) {
    this.#active = active;
    this.#mostOfEvent = eventBytes + mostBesideEvent;
    this.#count = count;
  }

  /** `at`: index of the frame's number. Throws for a slot that is none. */
  weigh(frames: readonly unknown[], at: number, shape: ToControlShape): void {
    const width = widthOf(shape);
    const { due } = shape.weight;
    let { messages } = shape.weight;
    let fields = width;
    let bytes = bytesIn(frames, at + 1, at + width);
    const isDue = due !== undefined && this.#isDue(due.when, frames[at + (slotOffsets[shape.number] ?? 0)], bytes);
    if (shape.number === ToControl.result) {
      const timings = timingCount(frames, at);
      if (isDue) fields += timings / 10;
      else {
        messages = 1;
        fields += timings;
        bytes += bytesIn(frames, at + width, at + width + timings);
      }
    }
    this.#count(messages + fields / manyFields, bytes, bytesOfMessage[isDue ? due.bytes : "unasked"]);
  }

  #isDue(when: "run" | "recording" | "mocks" | "event", slot: unknown, bytes: number): boolean {
    if (when === "event") return bytes <= this.#mostOfEvent;
    const run = slot === -1 ? undefined : this.#active.get(whole(slot, "a slot"));
    if (when === "recording") return run?.recorded === false;
    return when === "mocks" ? run?.invocation.mocks !== undefined : run !== undefined;
  }
}
