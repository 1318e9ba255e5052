/** Failures of requests, as they are sent to who has asked. */
import type { EmbeddedFailure } from "../../../shared/embedded.ts";

/** A failure that is not SQLite's. */
export class RequestFailure extends Error {
  /** Five characters of the SQL standard. */
  readonly state: string;

  constructor(message: string, state: string) {
    super(message);
    this.state = state;
  }
}

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html). */
const busy = 5;
const noMemory = 7;
const corrupt = 11;
const full = 13;
const tooBig = 18;
const notADatabase = 26;

const words: ReadonlyMap<number, string> = new Map([
  [noMemory, "the statement needs more memory than the process of the databases has (limit embeddedMemoryBytes)"],
  [full, "the database is full: its size is the option quotaMiB of the connection, and the disk's"],
  [tooBig, "the statement, a text or a blob is longer than 16 MiB"],
  [corrupt, "the file of the database is damaged: restore it from a backup, or repair it (docs/operating.md)"],
  [notADatabase, "the file of the database is none of SQLite's: restore it from a backup"],
]);

export function failureOf(error: unknown): EmbeddedFailure {
  if (error instanceof RequestFailure) return { message: error.message, code: 0, state: error.state };
  const { message } = error as Error;
  const code = codeOf(error);
  return { message: words.get(code & 0xff) ?? message, code };
}

/** Whether a transaction of another connection is in the way: the request can be tried again. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === busy;
}

function codeOf(error: unknown): number {
  const { errcode } = error as { readonly errcode?: unknown };
  return typeof errcode === "number" ? errcode : 0;
}
