/** The options of a lookup in a value mapping, and its failures. */

/** The result of a lookup for a value that the mapping does not contain. */
export const missingModes = ["error", "default", "passthrough", "null"] as const;
export type MissingMode = (typeof missingModes)[number];

export interface LookupOptions {
  /** Overrides the mapping's own setting for this pair of columns; absent: "default" if there is a `default`. */
  readonly onMissing?: MissingMode | undefined;
  /** The value for `default`; undefined: the mapping's own default. */
  readonly default?: unknown;
  /** Values for the rows' `when`. A row with `when` matches only if these values fit. */
  readonly qualifiers?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * missing: the value is not in the column, or its row has no value in the other; column: the column does not exist, or
 * lookups cannot begin in it; value: the value is a list or an object; document: the mapping's document could not be
 * read; data: the bytes are not a table.
 */
export type LookupFailure = "missing" | "column" | "value" | "document" | "data";

/** A failed lookup. The message does not name the mapping: callers that know its id prepend it. */
export class LookupError extends Error {
  readonly failure: LookupFailure;

  constructor(failure: LookupFailure, message: string) {
    super(message);
    this.name = "LookupError";
    this.failure = failure;
  }
}
