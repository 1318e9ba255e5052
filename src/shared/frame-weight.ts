/** What frames to control weigh for the flood breaker. */
import type { FrameShape } from "./frame-shape.ts";

/**
 * A frame weighs its fields as a part of a message, and the bytes of its texts. Bytes that control has not asked for
 * weigh most (`control/threads/line/flood-breaker.ts`).
 */
interface FrameWeight {
  /**
   * Whole messages in addition: the frame begins a run in another flow, notifies all threads of the flow, or has texts
   * to parse.
   */
  readonly messages: 0 | 1;
  /**
   * The condition under which its bytes weigh less, and the class that they then belong to. `run`: the run in its slot
   * is under way; `recording`: and nothing was recorded of it yet; `mocks`: and it is in a test session; `event`: the
   * event does not exceed the limit of events; `place`: always, since its reader admits one at a time.
   */
  readonly due?: {
    readonly when: "run" | "recording" | "mocks" | "event" | "place";
    readonly bytes: "asked" | "result";
  };
}

export interface ToControlFrame extends FrameShape {
  readonly weight: FrameWeight;
}

export const light: FrameWeight = { messages: 0 };
