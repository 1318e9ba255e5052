/** The variables or the properties of an exchange, or the variables of a flow, with a bound on their number and on their bytes together. */

import type { Limits } from "../../shared/limits.ts";
import { limitExceeded } from "./exception.ts";
import type { OwnCopy } from "./in-place.ts";
import { bytesOf, weightOf } from "./weight.ts";

/** Lighter values are bounded by their number alone. */
const light = 64;

export class NamedValues extends Map<string, unknown> {
  readonly #limits: Limits;
  /** The noun for messages: `variables`. */
  readonly #kind: string;
  readonly #owner: string;
  /** The weights of values that are not light. */
  #weights: Map<string, number> | undefined;
  #total = 0;

  constructor(kind: string, limits: Limits, owner = "a message") {
    super();
    this.#kind = kind;
    this.#owner = owner;
    this.#limits = limits;
  }

  /** The bytes of all values that are not light. */
  get total(): number {
    return this.#total;
  }

  /** Throws LimitExceededException. */
  override set(name: string, value: unknown): this {
    const { variableCount, variableBytes } = this.#limits;
    if (this.size >= variableCount && !this.has(name)) {
      throw limitExceeded("variableCount", `${this.#owner} has at most ${variableCount} ${this.#kind}`);
    }
    this.#weigh(name, bytesOf(name) + (isLight(value) ? 0 : weightOf(value, variableBytes)));
    return super.set(name, value);
  }

  override delete(name: string): boolean {
    this.#weigh(name, 0);
    return super.delete(name);
  }

  override clear(): void {
    this.#weights = undefined;
    this.#total = 0;
    super.clear();
  }

  /** `own`: copies the values, too. */
  copy(own: OwnCopy = (value) => value): NamedValues {
    const copy = new NamedValues(this.#kind, this.#limits, this.#owner);
    copy.#weights = this.#weights === undefined ? undefined : new Map(this.#weights);
    copy.#total = this.#total;
    for (const [name, value] of this) Map.prototype.set.call(copy, name, own(value));
    return copy;
  }

  #weigh(name: string, now: number): void {
    const before = this.#weights?.get(name) ?? 0;
    const after = now > light ? now : 0;
    if (before === after) return;
    const total = this.#total - before + after;
    const { variableBytes } = this.#limits;
    if (total > variableBytes) {
      throw limitExceeded(
        "variableBytes",
        `the ${this.#kind} of ${this.#owner} have at most ${variableBytes} bytes together`,
      );
    }
    this.#total = total;
    if (after === 0) this.#weights?.delete(name);
    else {
      this.#weights ??= new Map();
      this.#weights.set(name, after);
    }
  }
}

function isLight(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean" || value === null || value === undefined;
}
