/** Weighs the frames of one thread by their description (shared/frames-to-control.ts), each before anything of it is done. */
import { widthOf } from "../../shared/frame-shape.ts";
import { whole } from "../../shared/frame-values.ts";
import { ToControl, type ToControlShape, toControl } from "../../shared/frames-to-control.ts";
import { manyFields } from "../../shared/outbox.ts";
import type { ActiveRun } from "./active-run.ts";
import { bytesIn, bytesOfMessage } from "./flood-breaker.ts";
import { timingCount } from "./result-frame.ts";
import { mostName } from "./thread-frames.ts";

/** As FloodBreaker has it; the thread may be over then. */
type Count = (messages: number, bytes: number, bytesEach: number) => void;

/** Of an event beside its text, which is cut. */
const mostBesideEvent = 2 * mostName;

/** By a frame's number: how far behind it the slot of its run is; 0: it has none. */
const slotOffsets: number[] = [];
for (const { number, fields } of Object.values(toControl)) {
  slotOffsets[number] = fields.findIndex(([name]) => name === "slot") + 1;
}

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
