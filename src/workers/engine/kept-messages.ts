/** The messages of a run that is recorded, each kept once however many steps saw it, up to so many characters of JSON together. */
import type { RecordedMessage } from "../../shared/mock.ts";

export class KeptMessages {
  readonly texts: string[] = [];
  readonly #places = new Map<string, number>();
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** There is more room than this. */
  room(characters: number): boolean {
    return this.#left > characters;
  }

  /** Room for something else; false: there is not so much. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }

  /** Its index among the texts; undefined: `reserved` characters would not be left. */
  keep(message: RecordedMessage, reserved: number): number | undefined {
    const text = JSON.stringify(message);
    const place = this.#places.get(text);
    if (place !== undefined) return place;
    if (text.length + reserved > this.#left) return undefined;
    this.#left -= text.length;
    this.#places.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}
