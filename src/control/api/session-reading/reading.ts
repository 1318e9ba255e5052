/** Collects all problems of the document of a test session, and has the limits of its fields. */
import type * as z from "zod";
import { type Path, pointerOf } from "../../../shared/document-place.ts";
import type { ErrorCode } from "../../../shared/errors.ts";
import { type DocumentProblem, InvalidDocument } from "../../../shared/problems.ts";
import { formatNote, type Note, readDocument } from "../../../shared/read-document.ts";

export class Reading {
  readonly #unknown: Note[] = [];
  readonly #problems: Note[] = [];
  readonly #remarks: string[] = [];

  /** Returns undefined, and collects the problems, for a value that the schema refuses. */
  read<T>(schema: z.ZodType<T>, value: unknown, at: Path = []): T | undefined {
    const read = readDocument(schema, value, at);
    // Without push(...list): a list may have more entries than a call takes arguments.
    for (const warning of read.warnings) this.#unknown.push(warning);
    for (const problem of read.problems) this.#problems.push(problem);
    return read.value;
  }

  bad(path: Path, message: string): undefined {
    this.#problems.push({ path, code: "bad_value", message });
  }

  /** Adds a remark on something that was probably not meant and is done nevertheless. */
  remark(path: Path, message: string): void {
    this.#remarks.push(inWords({ path, message }));
  }

  /** Throws InvalidDocument when there is a problem. `strict`: unknown fields are problems, too. Returns the warnings. */
  settle(code: ErrorCode, strict: boolean): readonly string[] {
    // Unknown names come first, since one may be the reason why another is missing.
    const wrong = [...this.#unknown, ...this.#problems];
    if (this.#problems.length > 0 || (strict && wrong.length > 0))
      throw new InvalidDocument(code, wrong.map(asProblem));
    return [...this.#unknown.map((note) => `${inWords(note)}; it is left out`), ...this.#remarks];
  }
}

function inWords(note: Pick<Note, "path" | "message">): string {
  return formatNote(note, "the body");
}

function asProblem(note: Note): DocumentProblem {
  if (note.path.length === 0) return { pointer: "", message: inWords(note) };
  return { pointer: pointerOf(note.path), message: note.message };
}

// Limits that the reader and the OpenAPI document share. Lengths are in characters.
export const leastTtlMs = 1000;
export const mostTimeoutMs = 2_147_483_647;
export const mostUri = 2000;
/** Ids of existing resources. */
export const mostName = 128;
export const mostSessionName = 200;
export const mostAssertions = 3000;
export const mostNotes = 100;
export const mostNote = 2000;

/** With padding, and without bits beyond the last byte, so that bytes have exactly one form. */
export const base64Pattern = "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$";
