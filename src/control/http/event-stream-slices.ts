/**
 * Joins the frames of a slice once for all readers that get the same ones: most readers are at the same place of the
 * stream.
 */
import { joinFrames } from "./sse.ts";

const remembered = 4;

export class SharedSlices {
  #recent: { readonly frames: readonly Buffer[]; readonly slice: Buffer | undefined }[] = [];

  /** Joins the frames; undefined when there are none. */
  join(frames: readonly Buffer[]): Buffer | undefined {
    if (frames.length < 2) return frames[0];
    const known = this.#recent.find((one) => sameFrames(one.frames, frames));
    if (known !== undefined) return known.slice;
    const slice = joinFrames(frames);
    this.#recent = [{ frames, slice }, ...this.#recent.slice(0, remembered - 1)];
    return slice;
  }
}

function sameFrames(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((frame, i) => frame === b[i]);
}
