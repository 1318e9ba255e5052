/** What is wrong with a session's documents, all of it at once. */
import type * as z from "zod";
import type { Path } from "../../../shared/document-place.ts";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import { listProblems } from "../../../shared/problems.ts";
import { formatNote, type Note, readDocument } from "../../../shared/read-document.ts";

export class Reading {
  readonly #unknown: Note[] = [];
  readonly #problems: Note[] = [];
  readonly #remarks: string[] = [];

  /** undefined, with its problems, for what the schema does not accept. */
  read<T>(schema: z.ZodType<T>, value: unknown, at: Path = []): T | undefined {
    const read = readDocument(schema, value, at);
    // Not with push(...): a document may have more than a call takes arguments.
    for (const warning of read.warnings) this.#unknown.push(warning);
    for (const problem of read.problems) this.#problems.push(problem);
    return read.value;
  }

  bad(path: Path, message: string): undefined {
    this.#problems.push({ path, code: "bad_value", message });
  }

  /** Something that was probably not meant, and is done nevertheless. */
  remark(path: Path, message: string): void {
    this.#remarks.push(inWords({ path, message }));
  }

  /** Throws an AppError when there is a problem. `strict`: fields that are not known are problems. */
  settle(code: ErrorCode, strict: boolean): readonly string[] {
    // A name that is not known may be why another is missing.
    const wrong = [...this.#unknown, ...this.#problems];
    if (this.#problems.length > 0 || (strict && wrong.length > 0))
      throw new AppError(code, listProblems(wrong.map(inWords)));
    return [...this.#unknown.map((note) => `${inWords(note)}; it is left out`), ...this.#remarks];
  }
}

function inWords(note: Pick<Note, "path" | "message">): string {
  return formatNote(note, "the body");
}
