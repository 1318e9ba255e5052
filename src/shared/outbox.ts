/**
 * Frames to be sent: collected during a turn of the event loop, posted together at its end, or as soon as they are
 * many.
 */

/**
 * As many fields are posted at once, about eight runs' worth. A message costs as much as a run's fields, so few
 * messages are better; but with one message per turn the two threads alternate: neither works while the other reads
 * what has come.
 */
export const manyFields = 160;

const none: ArrayBuffer[] = [];

/**
 * Takes whole frames of one direction: what is no such frame, by its number, its fields and their order, does not
 * compile.
 */
interface FrameList<Frame extends unknown[]> {
  /** Returns how many members the list has then. */
  push(...frame: Frame): number;
}

/** `Frame`: those that this side sends. */
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

  /** The list to push a frame to. */
  open(): FrameList<Frame> {
    if (this.#frames.length >= manyFields) this.flush();
    if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#endTurn);
    }
    return this.#frames;
  }

  /** The list itself, for what follows the fields of the frame that was pushed last. */
  tail(): unknown[] {
    return this.#frames;
  }

  /** `moved`: memory of what is in the frames, which this side has no more. */
  flush(moved: ArrayBuffer[] = none): void {
    if (this.#frames.length === 0) return;
    const frames = this.#frames;
    this.#frames = [];
    this.#post(frames, moved);
  }
}
