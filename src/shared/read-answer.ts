/** Reads answers of check threads without trust: such a thread has just read a document of unknown origin. */
import * as z from "zod";
import { formatNote, readDocument } from "./read-document.ts";

/** Throws an Error with the place for one that the runtime's own threads never send. */
export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { value, problems } = readDocument(schema, answer);
  if (value !== undefined) return value;
  const what = problems.map((problem) => formatNote(problem, "the answer"))[0];
  throw new Error(`a check thread has answered something else: ${what}`);
}

/** Makes a schema of a text that is cut to `most` characters. */
export function answeredText(most: number) {
  return z.string().transform((text) => (text.length > most ? `${text.slice(0, most)}...` : text));
}

/** Makes a schema of a list that is cut to its first `most` entries. */
export function answeredList<T>(entry: z.ZodType<T>, most: number) {
  return z
    .array(z.unknown())
    .transform((list) => list.slice(0, most))
    .pipe(z.array(entry));
}
