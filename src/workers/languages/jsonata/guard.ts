/** Checks that guarded functions of the library run before and after they build a value, and before they parse a picture. */

import type { Budget } from "../budget.ts";

/** The least bytes that a list or an object is charged. */
export const leastObject = 32;

/** Holds the budget of the present evaluation, since all expressions share the library's functions. */
export class Guard {
  #budget: Budget | undefined;
  /** Lists and objects of the evaluation that have been charged. */
  #counted = new WeakSet<object>();

  begin(budget: Budget): void {
    this.#budget = budget;
    this.#counted = new WeakSet();
  }

  end(): void {
    this.#budget = undefined;
  }

  maxBytes(): number {
    return this.#budget?.maxBytes ?? 0;
  }

  /** Checks the size of a text or a list that is about to be built. */
  checkSize(bytes: number): void {
    this.#budget?.checkSize(bytes);
  }

  /** Checks the time; called for each small piece of work in a function. */
  tick(): void {
    this.#budget?.tick();
  }

  checkPicture(picture: unknown): void {
    if (this.#budget !== undefined) checkPicture(picture, this.#budget);
  }

  /** Charges a new value to the budget: a list or an object counts once, however often it occurs. */
  keep(value: unknown): void {
    if (typeof value === "string") this.#keep(value.length, value.length);
    else if (typeof value === "object" && value !== null && !this.#counted.has(value)) {
      this.#counted.add(value);
      const bytes = Array.isArray(value) ? value.length * 8 : 0;
      this.#keep(bytes, bytes + leastObject);
    }
  }

  #keep(size: number, bytes: number): void {
    this.#budget?.checkSize(size);
    this.#budget?.keep(bytes);
  }
}

/** The most characters of a picture (`[Y0001]-[M01]`, `#,##0.00`): messages may provide them, and each call parses one. */
export const longestPicture = 1000;

/** Functions whose second argument is a picture, and their signatures. */
export const pictured: Readonly<Record<string, string>> = {
  fromMillis: "<n-s?s?:s>",
  toMillis: "<s-s?:n>",
  formatNumber: "<n-so?:s>",
  formatInteger: "<n-s:s>",
  parseInteger: "<s-s:n>",
};

/** Checks a picture's length. Throws LimitExceededException. */
export function checkPicture(picture: unknown, budget: Budget): void {
  if (typeof picture === "string" && picture.length > longestPicture) {
    throw budget.exceeded(`takes pictures of at most ${longestPicture} characters`);
  }
}
