/** What a check thread answers about the companion file of a flow. */

export interface CompanionProblem {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export type CompanionResult =
  | { readonly problems: readonly CompanionProblem[] }
  /** The options, in accordance with the schema. */
  | { readonly value: unknown };
