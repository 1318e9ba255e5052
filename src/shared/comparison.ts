/** The state of a comparison: its findings, its place, and how many more values it may read. */
import { shortJson } from "./short-json.ts";

/** A place where the value differs. The texts are for people; `actual` is `missing` for an absent value. */
export interface Mismatch {
  /** `body.items[2].id` */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** Present: the value may match, since it is hidden or there was too much to compare. */
  readonly doubtful?: true;
}

export interface How {
  /** Makes a test that searches a text for the pattern. May throw for an invalid pattern. */
  readonly regex: (pattern: string) => (text: string) => boolean;
  /**
   * true: the value is a header's. Scalars are compared as texts, and a list also matches when one of its values does.
   */
  readonly headers?: boolean;
  /** The beginning of paths: `body`. */
  readonly path?: string;
  /** The most mismatches that are reported; 1 is enough to decide whether the value matches. */
  readonly most?: number;
  /** Whether a value was hidden and so is not the original. */
  readonly hides?: (value: unknown) => boolean;
  /** How many values may still be read; several comparisons may share it. */
  readonly budget?: { left: number };
}

/** A place relative to the start of the comparison, which is undefined. */
export type ComparedPlace = { readonly above: ComparedPlace; readonly key: string | number } | undefined;

const mostMismatches = 20;
const shownCharacters = 120;
const pathCharacters = 200;
/** The most values that a comparison reads, since lists within lists may be compared entry by entry. */
const mostCompared = 1_000_000;
/** The greatest depth of a matcher: the depth limit of JSON documents. */
export const deepestMatcher = 256;

/** The state that ends a comparison, shared with comparisons inside a `$not`. */
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

  /** The reason why the comparison stopped early; nothing matches then. */
  get fault(): Mismatch | undefined {
    return this.#shared.fault;
  }

  /** Whether a value may be read; it counts as `values`. */
  enters(place: ComparedPlace, depth: number, values = 1): boolean {
    if (this.done) return false;
    const { budget } = this.#shared;
    budget.left -= values;
    if (budget.left < 0) this.fail(place, "fewer values to compare", "more than are looked at");
    else if (depth > deepestMatcher) this.fail(place, `at most ${deepestMatcher} levels to compare`, "more");
    return !this.done;
  }

  add(place: ComparedPlace, expected: string, actual: unknown): void {
    if (this.done) return;
    const mismatch = this.#mismatch(place, expected, actual === undefined ? "missing" : formatValue(actual));
    this.found.push(this.how.hides?.(actual) === true ? { ...mismatch, doubtful: true } : mismatch);
  }

  /** Stops the comparison: the matcher is invalid, or not allowed at this place. */
  fail(place: ComparedPlace, expected: string, actual: string): void {
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

  /** Whether something does not match for certain. */
  get fails(): boolean {
    return this.found.some(({ doubtful }) => doubtful !== true);
  }

  #mismatch(place: ComparedPlace, expected: string, actual: string): Mismatch {
    return { path: pathOf(place, this.how.path ?? ""), expected: expected.slice(0, 2 * shownCharacters), actual };
  }
}

export function formatValue(value: unknown): string {
  return shortJson(value, shownCharacters);
}

/** The keys from the start of the comparison. */
export function keysOf(place: ComparedPlace): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.above) keys.push(at.key);
  return keys.reverse();
}

/** Formats a path: `items[2].id`, `["a b"]`. A long path is cut. */
export function pathOf(place: ComparedPlace, base: string): string {
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
