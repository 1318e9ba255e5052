/** The options of a lookup in a value mapping, and its failures. */

/** What a lookup returns for a value that the mapping does not have. */
export const missingModes = ["error", "default", "passthrough", "null"] as const;
export type MissingMode = (typeof missingModes)[number];

export interface LookupOptions {
  /** Overrides the mapping's own setting for this pair of columns; absent with a `default`: "default". */
  readonly onMissing?: MissingMode | undefined;
  /** The value for `default`; undefined: the mapping's own. */
  readonly default?: unknown;
  /** Values for the rows' `when`: rows with one match only when these values fit. */
  readonly qualifiers?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * missing: the value is not in the column, or its row has none in the other; column: there is no such column, or
 * lookups cannot begin in it; value: it is a list or an object; document: the mapping's document was not understood;
 * data: the bytes are not a table.
 */
export type LookupFailure = "missing" | "column" | "value" | "document" | "data";

/** A failed lookup. The message does not name the mapping: callers who know its id put it in front. */
export class LookupError extends Error {
  readonly failure: LookupFailure;

  constructor(failure: LookupFailure, message: string) {
    super(message);
    this.name = "LookupError";
    this.failure = failure;
  }
}
