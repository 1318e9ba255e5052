/** Collects frames during a turn of the event loop, and posts them together at its end, or as soon as they are many. */

/**
 * The number of fields that triggers a post, about eight runs' worth. A message costs as much as a run's fields, so few
 * messages are better. With only one message per turn, however, the two threads alternate, and neither works while the
 * other reads.
 */
export const manyFields = 160;

const none: ArrayBuffer[] = [];

/** Accepts whole frames of one direction. A frame with a wrong number, or wrong fields, does not compile. */
interface FrameList<Frame extends unknown[]> {
  /** Returns the new length of the list. */
  push(...frame: Frame): number;
}

/** `Frame`: the frames that this side sends. */
export class Outbox<Frame extends unknown[]> {
  #frames: unknown[] = [];
  #scheduled = false;
  readonly #post: (frames: unknown[], moved: ArrayBuffer[]) => void;
  readonly #endTurn = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  constructor(post: (frames: unknown[], moved: ArrayBuffer[]) => void) {
    this.#post = post;
  }

  /** Returns the list to push a frame to. */
  open(): FrameList<Frame> {
    if (this.#frames.length >= manyFields) this.flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#endTurn);
    }
    return this.#frames;
  }

  /** Returns the list itself, for values after the fields of the frame that was pushed last. */
  tail(): unknown[] {
    return this.#frames;
  }

  /** `moved`: memory of values in the frames, which is transferred to the other side. */
  flush(moved: ArrayBuffer[] = none): void {
    if (this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#post(frames, moved);
  }
}
