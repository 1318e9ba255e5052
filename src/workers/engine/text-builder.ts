/** Builds a text from many small pieces, and measures it meanwhile. */

/**
 * How many pieces are joined at a time: a string that grows by small pieces takes twenty times its length in memory.
 */
const pieces = 4096;

export class TextBuilder {
  readonly #max: number;
  readonly #tooLong: (max: number) => Error;
  #text = "";
  #parts: string[] = [];
  #length = 0;

  /** `tooLong`: makes the error for more than `max` characters. */
  constructor(max: number, tooLong: (max: number) => Error) {
    this.#max = max;
    this.#tooLong = tooLong;
  }

  append(text: string): void {
    this.#length += text.length;
    if (this.#length > this.#max) throw this.#tooLong(this.#max);
    if (this.#parts.push(text) === pieces) this.#join();
  }

  get text(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += this.#parts.join("");
    this.#parts = [];
  }
}
