/** A list that is made while it is walked: a text's lines, the records of a large body. */
import { limitExceeded } from "./exception.ts";

/** Bytes of memory for an element, and for a text beside its characters. */
const ofPlace = 8;
const ofText = 16;

/**
 * Steps that take parts one by one (`split`) iterate over it and never hold it as a whole; each walk begins anew.
 * Everything else reads it as the list of its elements (`asValue`, `asText`).
 */
export class LazyList implements Iterable<unknown> {
  readonly #walk: () => Iterator<unknown>;
  readonly #maxBytes: number;

  /** `maxBytes`: what a message's body may have. */
  constructor(walk: () => Iterator<unknown>, maxBytes: number) {
    this.#walk = walk;
    this.#maxBytes = maxBytes;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#walk();
  }

  /** Throws LimitExceededException when the elements would take more than four times `maxBytes`. */
  toArray(maxBytes: number = this.#maxBytes): unknown[] {
    const list: unknown[] = [];
    let size = 0;
    for (const element of this) {
      size += ofPlace + (typeof element === "string" ? ofText + element.length : 0);
      if (size > 4 * maxBytes) {
        throw limitExceeded(
          "messageBodyBytes",
          `a list has at most ${4 * maxBytes} bytes, unless you walk it with split`,
        );
      }
      list.push(element);
    }
    return list;
  }
}
