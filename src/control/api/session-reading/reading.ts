/** What the parts of a session's document share while they are read: problems with their places, all told at once. */
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { allTold } from "../../../shared/problems.ts";
import { closest, listed } from "../../../shared/suggest.ts";
import { isUpTo } from "./text-length.ts";

export type Fields = Readonly<Record<string, unknown>>;

const mostTold = 200;

export class Reading {
  readonly #unknown: string[] = [];
  readonly #warnings: string[] = [];
  readonly #problems: string[] = [];
  readonly #strict: boolean;

  /** `strict`: what is not understood is a problem rather than a warning. */
  constructor(strict: boolean) {
    this.#strict = strict;
  }

  get warnings(): readonly string[] {
    return [...this.#unknown.map((field) => `${field}; it is left out`), ...this.#warnings];
  }

  warn(message: string): void {
    this.#warnings.push(message);
  }

  bad(place: string, message: string): undefined {
    // There is never room for more: of those only their number is told.
    this.#problems.push(this.#problems.length < mostTold ? `${place}: ${message}` : "");
  }

  /** An object; undefined, and a problem, for anything else. Fields that are not known are told of. */
  part(
    value: unknown,
    place: string,
    known: readonly string[],
    { hints = {}, strict = false }: { readonly hints?: Hints; readonly strict?: boolean } = {},
  ): Part | undefined {
    if (!isFields(value)) return this.bad(place, `an object with ${listed(known)} is expected`);
    const shown = place === theBody ? "" : place;
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const message = `unknown field${hintFor(name, known, hints)}`;
      if (strict) this.bad(within(shown, name), message);
      else if (this.#unknown.length < mostTold) this.#unknown.push(`${within(shown, name)}: ${message}`);
    }
    return new Part(this, value, shown);
  }

  /** Throws an AppError when there is a problem. */
  settle(code: ErrorCode): void {
    // A name that is not known may be why another is missing.
    const wrong = [...this.#unknown, ...this.#problems];
    if (this.#problems.length > 0 || (this.#strict && wrong.length > 0)) throw new AppError(code, allTold(wrong));
  }
}

/** Where a document itself is meant. */
export const theBody = "the body";

/** What is said of a field that is unknown here. */
export type Hints = Readonly<Record<string, string>>;

function hintFor(name: string, known: readonly string[], hints: Hints): string {
  const hint = own(hints, name);
  if (typeof hint === "string") return `: ${hint}`;
  const near = closest(name.slice(0, 60), known);
  return near === undefined ? `; known here are ${listed(known)}` : ` (did you mean '${near}'?)`;
}

/** An object of the document. Its methods give undefined for what is absent, and, with a problem, for what is wrong. */
export class Part {
  readonly reading: Reading;
  readonly #fields: Fields;
  readonly #place: string;

  constructor(reading: Reading, fields: Fields, place: string) {
    this.reading = reading;
    this.#fields = fields;
    this.#place = place;
  }

  at(name: string): string {
    return within(this.#place, name);
  }

  has(name: string): boolean {
    return this.value(name) !== undefined;
  }

  value(name: string): unknown {
    return own(this.#fields, name);
  }

  bad(name: string, message: string): undefined {
    this.reading.bad(this.at(name), message);
  }

  text(name: string, most: number, least = 1): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === "string" && value.length >= least && isUpTo(value, most)) return value;
    return this.bad(name, `a text of ${least} to ${most} characters is expected`);
  }

  whole(name: string, least: number, most: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
    return this.bad(name, `a whole number from ${least} to ${most} is expected`);
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return choices.find((one) => one === value) ?? this.bad(name, `${choices.join(" or ")} is expected`);
  }

  object(name: string, what: string): Fields | undefined {
    const value = this.value(name);
    if (value === undefined || isFields(value)) return value;
    return this.bad(name, `${what} is expected`);
  }

  list(name: string, most: number, what: string): readonly unknown[] | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length <= most) return value;
    return this.bad(name, `a list of at most ${most} ${what} is expected`);
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field's own value; not what every object has (`constructor`). */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** `mocks[0].respond`, `mocks["to crm"]`. */
export function within(place: string, name: string | number): string {
  if (typeof name === "number") return `${place}[${name}]`;
  const shown = name.slice(0, 60);
  if (!/^[\w$-]+$/.test(shown)) return `${place}[${JSON.stringify(shown)}]`;
  return place === "" ? shown : `${place}.${shown}`;
}

type Present<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Without the fields that are undefined. */
export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
