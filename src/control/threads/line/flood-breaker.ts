/** Weighs what a thread sends, in messages, so that no thread can keep the main loop busy. */
import { widthOf } from "../../../shared/frame-shape.ts";
import { whole } from "../../../shared/frame-values.ts";
import { ToControl, type ToControlShape, toControl } from "../../../shared/frames-to-control.ts";
import { manyFields } from "../../../shared/outbox.ts";
import { timingCount } from "./run-frames.ts";
import { mostName } from "./thread-frames.ts";
import type { ActiveRun } from "./thread-runs.ts";

const KiB = 1024;

/**
 * How many bytes weigh as much as a message; of texts the characters count. Only frames that answer to control may be large: results of the runs
 * under way, each once, the calls of those runs and what sessions record of them, and events that the thread has credits for.
 *
 * The most that a thread of the runtime sends legitimately arrives after the main loop was blocked for a second: 2000 announced runs that have
 * begun in that time (100 messages in their fields) and call another flow (one each, and 100), 2000 events (90, and 130 if each has 16 KiB), 128
 * results with all their timings (250, and 120 for 1 MiB each): 2800 together.
 */
export const bytesOfMessage = { unasked: 4 * KiB, asked: 256 * KiB, result: 1024 * KiB } as const;

/** The messages that a run adds to the allowance: one with its result, and one with a call of another flow. */
export const messagesOfRun = 2;

/**
 * The time in ms in which the weight falls from its maximum to 0 while no messages of the thread are read. Reading them does not count as
 * time: on a slow machine nothing would be a flood.
 */
const forgetMs = 50;

/** The most bytes of an event beside its text, which the thread cuts. */
const mostBesideEvent = 2 * mostName;

/** By a frame's number: the offset of the slot of its run; 0: it has none. */
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

  /** `most`: how many messages may come at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds the messages of a run that the thread was given to its allowance, so that a busy flow is not taken for a flood. */
  given(): void {
    this.#weight = Math.max(0, this.#weight - messagesOfRun);
  }

  /** Takes away the weight of a request that was answered: a thread that waits for answers is no flood. */
  answered(): void {
    this.#weight = Math.max(0, this.#weight - 1);
  }

  /** Counts messages. Returns true when they are too many: the thread must be cut off before the next message is read. */
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

/** Returns the bytes of the texts and byte arrays among the fields from `from` to before `to`. For a byte array the whole buffer counts, since all of it is sent. */
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

/** Calls `count` of FloodBreaker, after which the thread may be over. */
type Count = (messages: number, bytes: number, bytesEach: number) => void;

/** Weighs the frames of one thread by their description (shared/frames-to-control.ts), each before it is handled. */
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

  /** `at`: index of the frame's number. Throws for an invalid slot. */
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

  #isDue(when: "run" | "recording" | "mocks" | "event" | "place", slot: unknown, bytes: number): boolean {
    if (when === "place") return true;
    if (when === "event") return bytes <= this.#mostOfEvent;
    const run = slot === -1 ? undefined : this.#active.get(whole(slot, "a slot"));
    if (when === "recording") return run?.recorded === false;
    return when === "mocks" ? run?.invocation.mocks !== undefined : run !== undefined;
  }
}
