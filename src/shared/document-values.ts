/** Schemas of values in documents. Each has one message, which describes the expected value. */
import * as z from "zod";
import { isFields } from "./document-fields.ts";

/**
 * Makes a schema of what `is` accepts. Checks of the object around the value run even if it is wrong, so that all
 * problems are found at once.
 */
export function expect<T>(what: string, is: (value: unknown) => boolean) {
  return z.custom<T>(is, { error: `${what} expected`, abort: false });
}

/** Makes a schema of a text. Characters are counted as in JSON Schema: one beyond U+FFFF is one. */
export function text(most: number, least = 1) {
  const is = (value: unknown): boolean => typeof value === "string" && value.length >= least && isUpTo(value, most);
  return expect<string>(`a text of ${least} to ${most} characters is`, is);
}

export function whole(least: number, most: number) {
  const is = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  return expect<number>(`a whole number from ${least} to ${most} is`, is);
}

export function choice<const Word extends string>(words: readonly Word[]) {
  return expect<Word>(`${words.join(" or ")} is`, (value) => words.some((word) => word === value));
}

/** `what`: "an object of headers by name". */
export function object(what: string) {
  return expect<Readonly<Record<string, unknown>>>(`${what} is`, isFields);
}

/** Looks at no more of the text than the answer needs. */
export function isUpTo(value: string, most: number): boolean {
  if (value.length <= most) return true;
  if (value.length > 2 * most) return false;
  return [...value].length <= most;
}
