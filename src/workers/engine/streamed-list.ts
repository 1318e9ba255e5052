/** A list whose elements arrive while it is read, such as the rows of a query: `split` takes them one after another. */
import { FlowException } from "./exception.ts";
import { weight } from "./weight.ts";

/** Can be read once. Other steps than `split` cannot read it: what makes a text or JSON of it fails. */
export class StreamedList implements AsyncIterable<unknown> {
  /** Where the elements come from, for messages. */
  readonly #source: string;
  /** Resolves with the next elements; an empty list is the end. */
  readonly #next: () => Promise<readonly unknown[]>;
  #begun = false;

  constructor(source: string, next: () => Promise<readonly unknown[]>) {
    this.#source = source;
    this.#next = next;
  }

  /** Throws IllegalStateException when the list was read before. */
  async *[Symbol.asyncIterator](): AsyncGenerator<unknown> {
    if (this.#begun)
      throw new FlowException("java.lang.IllegalStateException", `${this.#source} can be read only once`);
    this.#begun = true;
    for (let part = await this.#next(); part.length > 0; part = await this.#next()) yield* part;
  }

  /** Called by what writes JSON. */
  toJSON(): never {
    throw new FlowException(
      "org.apache.camel.NoTypeConversionAvailableException",
      `${this.#source} are read as they arrive, and only split can do that: go through them with split, or ask for a whole list`,
    );
  }

  toString(): string {
    return this.#source;
  }

  get [weight](): number {
    return 0;
  }
}
