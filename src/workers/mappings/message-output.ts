/** Builds the result of rules: objects and lists along their targets. Never writes into values of the message. */
import { pointerOf } from "../../shared/mapping-models.ts";
import { setOwn } from "../languages/input.ts";

/** The highest index of a list in a target. The elements before it become null. */
export const mostPlaces = 10_000;

/** A step of a target that is an index of a list, or `-` for its end. */
export const place = /^(?:-|0|[1-9]\d{0,15})$/;

type Holder = Record<string, unknown> | unknown[];

export class MessageOutput {
  #root: unknown;
  /** Objects and lists made here. Values of the message are copied before they are changed. */
  readonly #own = new WeakSet<object>();

  /** undefined when no rule has set a value. */
  get value(): unknown {
    return this.#root;
  }

  /** Throws Error when an earlier rule has set a value that cannot hold this target. */
  set(target: readonly string[], value: unknown): void {
    const last = target.at(-1);
    if (last === undefined) {
      this.#root = value;
      return;
    }
    let holder = this.#holder(this.#root, target, 0, (made) => {
      this.#root = made;
    });
    for (let at = 0; at < target.length - 1; at++) {
      const key = keyIn(holder, target, at);
      const outer = holder;
      holder = this.#holder(read(outer, key), target, at + 1, (made) => put(outer, key, made));
    }
    put(holder, keyIn(holder, target, target.length - 1), value);
  }

  /** Returns a holder that may be changed: the one found, a copy of it, or a new one. */
  #holder(found: unknown, target: readonly string[], at: number, replace: (made: Holder) => void): Holder {
    if (typeof found === "object" && found !== null && this.#own.has(found)) return found as Holder;
    if (found !== undefined && found !== null && typeof found !== "object") {
      throw new Error(
        `${pointerOf(target.slice(0, at)) || "the result"} is ${typeof found === "string" ? "a text" : `a ${typeof found}`} by an earlier rule`,
      );
    }
    const made: Holder = Array.isArray(found)
      ? [...found]
      : found
        ? { ...found }
        : place.test(target[at] as string)
          ? []
          : {};
    this.#own.add(made);
    replace(made);
    return made;
  }
}

function keyIn(holder: Holder, target: readonly string[], at: number): string | number {
  const step = target[at] as string;
  if (!Array.isArray(holder)) return step;
  const where = pointerOf(target.slice(0, at)) || "the result";
  if (!place.test(step)) throw new Error(`${where} is a list by an earlier rule: '${step}' is no place in it`);
  const index = step === "-" ? holder.length : Number(step);
  if (index > mostPlaces && index > holder.length) {
    throw new Error(`a target names places up to ${mostPlaces} of a list: use forEach`);
  }
  return index;
}

function read(holder: Holder, key: string | number): unknown {
  if (Array.isArray(holder)) return holder[key as number];
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function put(holder: Holder, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) {
    while (holder.length < (key as number)) holder.push(null);
    holder[key as number] = value;
  } else setOwn(holder, key as string, value);
}
