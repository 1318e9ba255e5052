/** What a lookup in a value mapping may be asked for, and how it fails. */

/** What a lookup gives for a value that the mapping does not have. */
export const missingModes = ["error", "default", "passthrough", "null"] as const;
export type MissingMode = (typeof missingModes)[number];

export interface LookupOptions {
  /** In place of what the mapping says for this pair of columns; absent with a `default`: "default". */
  readonly onMissing?: MissingMode | undefined;
  /** For `default`; undefined: the mapping's own. */
  readonly default?: unknown;
  /** Rows with a `when` match only when these values fit. */
  readonly qualifiers?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * missing: the value is not in the column, or its row has none in the other; column: there is no such column, or it is not one to look
 * up from; value: it is a list or an object; document: the mapping's document was not understood; data: the bytes are no table.
 */
export type LookupFailure = "missing" | "column" | "value" | "document" | "data";

/** The message says what and why, and not of which mapping: whoever knows its id puts it before. */
export class LookupError extends Error {
  readonly failure: LookupFailure;

  constructor(failure: LookupFailure, message: string) {
    super(message);
    this.name = "LookupError";
    this.failure = failure;
  }
}
