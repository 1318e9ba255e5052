/** A list whose elements are made while it is iterated: a text's lines, the records of a large body. */
import { limitExceeded } from "./exception.ts";

/** Bytes of memory per element, and per text in addition to its characters. */
const ofPlace = 8;
const ofText = 16;

/**
 * Steps that process parts one by one (`split`) iterate over it without holding all of it; each iteration starts from
 * the beginning. Other code reads it as a list (`asValue`, `asText`).
 */
export class LazyList implements Iterable<unknown> {
  readonly #walk: () => Iterator<unknown>;
  readonly #maxBytes: number;

  /** `maxBytes`: the limit of a message's body. */
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
