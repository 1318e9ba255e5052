/** The canonical spelling of a flow: what a check thread answers about it. */

/** A place that is written in a short form. Lines and columns count from 1. */
export interface ShorthandPlace {
  readonly line: number;
  readonly column: number;
  /** Behind the key that is meant. */
  readonly endColumn: number;
  /** What is written, and what it is short for. */
  readonly message: string;
}

/** The text in the canonical spelling, with the places that differ from it; or why the text cannot be read. */
export type NormalizeResult =
  | { readonly text: string; readonly places: readonly ShorthandPlace[] }
  | { readonly problem: Omit<ShorthandPlace, "endColumn"> };
