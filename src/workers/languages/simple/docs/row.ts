/** What is said of a function of simple: one sentence, and an example with its result. */

/** The message that an example is evaluated on. */
export interface Given {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
}

export interface FunctionDocs {
  /** `pad(exp,width,separator)`: optional parts come last. */
  readonly usage: string;
  readonly docs: string;
  /** A template. */
  readonly example: string;
  readonly given: Given;
  /** What the example gives; a pattern where it differs each time, or is long. */
  readonly result: unknown;
}

/** Returns the entry of one function. */
export function row(usage: string, docs: string, example: string, given: Given, result: unknown): FunctionDocs {
  return { usage, docs, example, given, result };
}
