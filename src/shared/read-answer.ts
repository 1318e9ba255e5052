/** What a thread answers, read as from a stranger: it has just read a document that anybody may have written. */
import * as z from "zod";
import { placed, readDocument } from "./read-document.ts";

/** Throws an Error with the place for an answer that the runtime's own threads never give. */
export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { value, problems } = readDocument(schema, answer);
  if (value !== undefined) return value;
  const what = problems.map((problem) => placed(problem, "the answer"))[0];
  throw new Error(`a check thread has answered something else: ${what}`);
}

/** A text; of one that has more than `most` characters the beginning. */
export function answeredText(most: number) {
  return z.string().transform((text) => (text.length > most ? `${text.slice(0, most)}...` : text));
}

/** The first `most` entries of a list. */
export function answeredList<T>(entry: z.ZodType<T>, most: number) {
  return z
    .array(z.unknown())
    .transform((list) => list.slice(0, most))
    .pipe(z.array(entry));
}
