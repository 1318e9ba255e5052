/**
 * Schemas of documents from outside. Objects accept unknown fields, which become warnings with suggestions. A value has
 * one message, which describes the expected value.
 */

import * as z from "zod";
import { closest, listed } from "./suggest.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How many unknown fields of an object get suggestions, because each comparison takes time. */
const mostHints = 100;

export interface FieldsOptions {
  /** Messages for unknown fields, by their names. */
  readonly hints?: Readonly<Record<string, string>>;
  /** true: an unknown field is a problem. Without the field the object would permit more than intended. */
  readonly strict?: boolean;
  /** Further known fields that have no effect. */
  readonly remarks?: readonly string[];
  /** Describes what is expected in place of a value that is not an object. */
  readonly expected?: (value: unknown) => string;
}

/** Makes a schema of an object with these fields. */
export function fields<Shape extends z.core.$ZodShape>(shape: Shape, options: FieldsOptions = {}) {
  const known = Object.keys(shape);
  const { hints = {}, strict = false, remarks = [], expected } = options;
  return z.preprocess((value, context) => {
    if (!isFields(value)) {
      const message = expected?.(value) ?? `an object with ${listed(known)} is expected`;
      context.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    const unknown = Object.keys(value).filter((name) => !known.includes(name) && !remarks.includes(name));
    for (const [at, name] of unknown.entries()) {
      const message = `unknown field${at < mostHints ? hintFor(name, known, hints) : ""}`;
      context.addIssue({ code: "custom", path: [name], message, params: { code: "unknown_field", strict } });
    }
    return value;
  }, z.object(shape));
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a field's own value, not one that every object inherits (`constructor`). */
export function readOwn(from: Fields, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function hintFor(name: string, known: readonly string[], hints: Readonly<Record<string, string>>): string {
  const hint = readOwn(hints, name);
  if (typeof hint === "string") return `: ${hint}`;
  const near = closest(name.slice(0, 60), known);
  return near === undefined ? `; known here are ${listed(known)}` : ` (did you mean '${near}'?)`;
}

/**
 * Makes a schema of the values that `is` accepts. Checks of the object around the value run even if it is wrong, so
 * that all problems are found at once.
 */
export function expect<T>(what: string, is: (value: unknown) => boolean) {
  return z.custom<T>(is, { error: `${what} expected`, abort: false });
}

/** Makes a schema of a text. As in JSON Schema, a character beyond U+FFFF counts once. */
export function text(most: number, least = 1) {
  const is = (value: unknown): boolean => typeof value === "string" && value.length >= least && isUpTo(value, most);
  const schema = { type: "string" as const, minLength: least, maxLength: most };
  return expect<string>(`a text of ${least} to ${most} characters is`, is).meta(schema);
}

export function whole(least: number, most: number) {
  const is = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const schema = { type: "integer" as const, minimum: least, maximum: most };
  return expect<number>(`a whole number from ${least} to ${most} is`, is).meta(schema);
}

export function choice<const Word extends string>(words: readonly Word[]) {
  return expect<Word>(`${words.join(" or ")} is`, (value) => words.some((word) => word === value));
}

/** `what`: "an object of headers by name". */
export function object(what: string) {
  return expect<Readonly<Record<string, unknown>>>(`${what} is`, isFields);
}

/** Reads no more of the text than necessary. */
export function isUpTo(value: string, most: number): boolean {
  if (value.length <= most) return true;
  if (value.length > 2 * most) return false;
  return [...value].length <= most;
}
