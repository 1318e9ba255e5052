/** A parsed value mapping, from which a table is built. */
import type { MissingMode } from "./value-lookup.ts";

export type Scalar = string | number | bigint | boolean | null;

export interface ValueRow {
  /** For each column its values, which all mean the same, the primary one first; empty: the row has none there. */
  readonly cells: readonly (readonly Scalar[])[];
  /** The row counts only where the caller's qualifiers have all these values. */
  readonly when?: ReadonlyMap<string, Scalar> | undefined;
}

export interface MissingRule {
  readonly onMissing?: MissingMode | undefined;
  readonly default?: Scalar | undefined;
}

export interface LookupRule extends MissingRule {
  readonly from: string;
  readonly to: string;
}

export interface ValueMappingModel extends MissingRule {
  readonly columns: readonly string[];
  readonly rows: readonly ValueRow[];
  readonly caseSensitive: boolean;
  readonly trim: boolean;
  /** 1 and "1" are two values; otherwise values are compared by their text. */
  readonly typed: boolean;
  /** Lookups begin in the first column only. */
  readonly oneWay: boolean;
  readonly lookups: readonly LookupRule[];
  /** Why the document was not understood: every lookup fails with this text. */
  readonly notUnderstood?: string | undefined;
}

/** The most characters of a value in a cell. */
export const longestValue = 8192;
/** How many different sets of qualifier names a mapping may have, the empty one included: a lookup probes each. */
export const mostQualifierSets = 16;
