/** Problems of documents, and how many of them an error's message has room for. */
import { AppError, type ErrorCode } from "./errors.ts";

/** A problem of a document that was sent. */
export interface DocumentProblem {
  /** Its place, as a JSON Pointer; "" for the whole document, or for a name that is not in its place alone. */
  readonly pointer: string;
  readonly message: string;
}

/** A document is refused: the message has as many problems as it has room for, `problems` has all. */
export class InvalidDocument extends AppError {
  readonly problems: readonly DocumentProblem[];

  constructor(code: ErrorCode, problems: readonly DocumentProblem[]) {
    super(code, listProblems(problems.map(formatProblem)));
    this.problems = problems;
  }
}

/** Formats a problem: `/mocks/0/times: a whole number is expected`. */
export function formatProblem({ pointer, message }: DocumentProblem): string {
  return pointer === "" ? message : `${pointer}: ${message}`;
}

/** An answer's error body has 1 KiB; the message may take all but its envelope. */
const mostBytes = 940;

/**
 * Lists the first problem and then others, one per line, within the length of an error's message. If some are left out,
 * `rest` makes the last line from their number.
 */
export function problemLines(first: string, others: readonly string[], rest: (count: number) => string): string {
  let lines = first;
  for (const [i, problem] of others.entries()) {
    const longer = `${lines}\n${problem}`;
    const left = others.length - i - 1;
    const whole = left === 0 ? longer : `${longer}\n${rest(left)}`;
    if (Buffer.byteLength(JSON.stringify(whole)) > mostBytes) return `${lines}\n${rest(left + 1)}`;
    lines = longer;
  }
  return lines;
}

/** Lists problems within the length of an error's message, at least the first one, and the number of omitted ones. */
export function listProblems(problems: readonly string[]): string {
  const [first = "", ...others] = problems;
  let listed = first;
  for (const [i, problem] of others.entries()) {
    const longer = `${listed}; ${problem}`;
    if (Buffer.byteLength(JSON.stringify(longer)) > mostBytes) return `${listed}; ${describeMore(others.length - i)}`;
    listed = longer;
  }
  return listed;
}

/** Returns `1 more problem`, `3 more problems`. */
export function describeMore(count: number): string {
  return `${count} more problem${count === 1 ? "" : "s"}`;
}
