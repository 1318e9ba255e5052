/** Text that is built of many small pieces, and measured while it is. */

/** Pieces that are joined together at a time: a string grown by small pieces would take twenty times its length in memory. */
const pieces = 4096;

export class TextBuilder {
  readonly #max: number;
  readonly #tooLong: (max: number) => Error;
  #text = "";
  #parts: string[] = [];
  #length = 0;

  /** `tooLong`: what is thrown for more than `max` characters. */
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
