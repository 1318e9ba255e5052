/** What several readers get in one piece is put together once: most of them are at the same place of the stream. */
import { joined } from "./sse.ts";

const remembered = 4;

export class SharedSlices {
  #recent: { readonly frames: readonly Buffer[]; readonly slice: Buffer | undefined }[] = [];

  /** The frames as one; undefined when there are none. */
  join(frames: readonly Buffer[]): Buffer | undefined {
    if (frames.length < 2) return frames[0];
    const known = this.#recent.find((one) => sameFrames(one.frames, frames));
    if (known !== undefined) return known.slice;
    const slice = joined(frames);
    this.#recent = [{ frames, slice }, ...this.#recent.slice(0, remembered - 1)];
    return slice;
  }
}

function sameFrames(a: readonly Buffer[], b: readonly Buffer[]): boolean {
  return a.length === b.length && a.every((frame, i) => frame === b[i]);
}
