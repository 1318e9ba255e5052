/** One comparison under way: what it has found, where it is, and how much it may still look at. */
import { shortJson } from "./short-json.ts";

/** Where something is not as it should be. The texts are for a person; `actual` is `missing` where nothing is. */
export interface Mismatch {
  /** `body.items[2].id` */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** Present: it may be as expected, since the value is hidden, or there was too much to compare. */
  readonly doubtful?: true;
}

export interface How {
  /** A pattern as "is it found in this text?". May throw for a bad one. */
  readonly regex: (pattern: string) => (text: string) => boolean;
  /** The value is a header's: scalars are compared as texts, a list matches also when one of its values does. */
  readonly headers?: boolean;
  /** What paths begin with: `body`. */
  readonly path?: string;
  /** Mismatches that are told; 1 is enough to know whether. */
  readonly most?: number;
  /** Whether a value is shown otherwise than it was. */
  readonly hides?: (value: unknown) => boolean;
  /** How many values may still be looked at, which several comparisons may share. */
  readonly budget?: { left: number };
}

/** Below the place where the comparison began; undefined there. */
export type Place = { readonly above: Place; readonly key: string | number } | undefined;

const mostMismatches = 20;
const shownCharacters = 120;
const pathCharacters = 200;
/** Values that one comparison looks at: of lists that may hold each other each is compared with each. */
const mostCompared = 1_000_000;
/** As deep as a matcher may be: as deep as JSON from outside. */
export const deepestMatcher = 256;

/** What ends a comparison, and also one inside a `$not`. */
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

  /** What stopped it before its end; then nothing matches. */
  get fault(): Mismatch | undefined {
    return this.#shared.fault;
  }

  /** Before a value is looked at, or as much of it as so many values: whether it may be. */
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
    const mismatch = this.#mismatch(place, expected, actual === undefined ? "missing" : shown(actual));
    this.found.push(this.how.hides?.(actual) === true ? { ...mismatch, doubtful: true } : mismatch);
  }

  /** The matcher cannot be used, or not here. */
  fail(place: Place, expected: string, actual: string): void {
    this.#shared.fault ??= { ...this.#mismatch(place, expected, actual), doubtful: true };
  }

  /** Another one, of which nothing is told. */
  inner(compare: (inner: Comparison) => void): Comparison {
    const inner = new Comparison(this.how, 1, this.#shared);
    compare(inner);
    return inner;
  }

  get holds(): boolean {
    return this.found.length === 0 && this.fault === undefined;
  }

  /** Whether something is wrong for certain. */
  get fails(): boolean {
    return this.found.some(({ doubtful }) => doubtful !== true);
  }

  #mismatch(place: Place, expected: string, actual: string): Mismatch {
    return { path: pathOf(place, this.how.path ?? ""), expected: expected.slice(0, 2 * shownCharacters), actual };
  }
}

export function shown(value: unknown): string {
  return shortJson(value, shownCharacters);
}

/** From where the comparison began. */
export function keysOf(place: Place): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.above) keys.push(at.key);
  return keys.reverse();
}

/** `items[2].id`, `["a b"]`; the beginning of a long one. */
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

/** `body.id: expected 17, got 18` */
export function mismatchText({ path, expected, actual }: Mismatch): string {
  return `${path === "" ? "" : `${path}: `}expected ${expected}, ${actual === "missing" ? actual : `got ${actual}`}`;
}
