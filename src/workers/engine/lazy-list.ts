/** A list that is made while it is walked: a text's lines, the records of a large body. */
import { FlowException } from "./exception.ts";

/**
 * Steps that take parts one by one (`split`) iterate over it and never hold it as a whole; each walk begins anew.
 * Everything else reads it as the list of its elements (`asValue`, `asText`).
 */
export class LazyList implements Iterable<unknown> {
  readonly #walk: () => Iterator<unknown>;

  constructor(walk: () => Iterator<unknown>) {
    this.#walk = walk;
  }

  [Symbol.iterator](): Iterator<unknown> {
    return this.#walk();
  }

  /** Throws LimitExceededException when the elements would take more than `maxBytes` at 8 bytes each, texts by their length. */
  toArray(maxBytes: number): unknown[] {
    const list: unknown[] = [];
    let size = 0;
    for (const element of this) {
      size += 8 + (typeof element === "string" ? element.length : 0);
      if (size > 2 * maxBytes) {
        throw new FlowException(
          "LimitExceededException",
          `a list has at most ${2 * maxBytes} bytes: walk it with split`,
        );
      }
      list.push(element);
    }
    return list;
  }
}
