/** A comparison under way: its findings, its place, and how much it may still look at. */
import { shortJson } from "./short-json.ts";

/** A place where the value differs. The texts are for people; `actual` is `missing` where there is nothing. */
export interface Mismatch {
  /** `body.items[2].id` */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** Present: it may be as expected, since the value is hidden, or there was too much to compare. */
  readonly doubtful?: true;
}

export interface How {
  /** Makes a test of a pattern: is it found in this text? May throw for an invalid one. */
  readonly regex: (pattern: string) => (text: string) => boolean;
  /**
   * true: the value is a header's: scalars are compared as texts, and a list matches also when one of its values does.
   */
  readonly headers?: boolean;
  /** The beginning of paths: `body`. */
  readonly path?: string;
  /** The most mismatches that are reported; 1 is enough for a yes or no. */
  readonly most?: number;
  /** Whether a value was hidden, so that it is not the original. */
  readonly hides?: (value: unknown) => boolean;
  /** How many values may still be looked at, which several comparisons may share. */
  readonly budget?: { left: number };
}

/** Below the place where the comparison began; undefined there. */
export type Place = { readonly above: Place; readonly key: string | number } | undefined;

const mostMismatches = 20;
const shownCharacters = 120;
const pathCharacters = 200;
/** The most values that a comparison looks at: lists within lists may compare each entry with each. */
const mostCompared = 1_000_000;
/** The greatest depth of a matcher: that of JSON from outside. */
export const deepestMatcher = 256;

/** The state that ends a comparison, and also one inside a `$not`. */
interface Shared {
  readonly budget: { left: number };
  fault: Mismatch | undefined;
}

export class Comparison {
  readonly how: How;
  readonly found: Mismatch[] = [];
  readonly #most: number;
  readonly #shared: Shared;

  constructor(how: How, most = how.most ?? mostMismatches, shared?: Shared) {
    this.how = how;
    this.#most = Math.min(most, mostMismatches);
    this.#shared = shared ?? { budget: how.budget ?? { left: mostCompared }, fault: undefined };
  }

  get done(): boolean {
    return this.found.length >= this.#most || this.#shared.fault !== undefined;
  }

  /** What stopped the comparison early; then nothing matches. */
  get fault(): Mismatch | undefined {
    return this.#shared.fault;
  }

  /** Whether a value may be looked at; it counts as so many values. */
  enters(place: Place, depth: number, values = 1): boolean {
    if (this.done) return false;
    const { budget } = this.#shared;
    budget.left -= values;
    if (budget.left < 0) this.fail(place, "fewer values to compare", "more than are looked at");
    else if (depth > deepestMatcher) this.fail(place, `at most ${deepestMatcher} levels to compare`, "more");
    return !this.done;
  }

  add(place: Place, expected: string, actual: unknown): void {
    if (this.done) return;
    const mismatch = this.#mismatch(place, expected, actual === undefined ? "missing" : formatValue(actual));
    this.found.push(this.how.hides?.(actual) === true ? { ...mismatch, doubtful: true } : mismatch);
  }

  /** The matcher cannot be used, or not at this place. */
  fail(place: Place, expected: string, actual: string): void {
    this.#shared.fault ??= { ...this.#mismatch(place, expected, actual), doubtful: true };
  }

  /** Runs another comparison whose mismatches are not reported. */
  inner(compare: (inner: Comparison) => void): Comparison {
    const inner = new Comparison(this.how, 1, this.#shared);
    compare(inner);
    return inner;
  }

  get holds(): boolean {
    return this.found.length === 0 && this.fault === undefined;
  }

  /** Whether something certainly does not match. */
  get fails(): boolean {
    return this.found.some(({ doubtful }) => doubtful !== true);
  }

  #mismatch(place: Place, expected: string, actual: string): Mismatch {
    return { path: pathOf(place, this.how.path ?? ""), expected: expected.slice(0, 2 * shownCharacters), actual };
  }
}

export function formatValue(value: unknown): string {
  return shortJson(value, shownCharacters);
}

/** The keys from the start of the comparison. */
export function keysOf(place: Place): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.above) keys.push(at.key);
  return keys.reverse();
}

/** Formats a path: `items[2].id`, `["a b"]`; of a long one the beginning. */
export function pathOf(place: Place, base: string): string {
  let path = base;
  for (const key of keysOf(place)) {
    if (path.length > pathCharacters) return `${path}...`;
    if (typeof key === "number") path += `[${key}]`;
    else if (/^[A-Za-z_$][\w$-]{0,99}$/.test(key)) path += path === "" ? key : `.${key}`;
    else path += `[${shortJson(key, shownCharacters)}]`;
  }
  return path;
}

/** Formats a mismatch: `body.id: expected 17, got 18`. */
export function mismatchText({ path, expected, actual }: Mismatch): string {
  return `${path === "" ? "" : `${path}: `}expected ${expected}, ${actual === "missing" ? actual : `got ${actual}`}`;
}
