/** Checks that guarded functions of the library run before and after they build a value. */
import type { Budget } from "../budget.ts";
import { checkPicture } from "./pictures.ts";

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
