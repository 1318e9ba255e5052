/** A single lookup for somebody who wants to see what a step would get. */
import { LookupError, type LookupOptions } from "./value-lookup.ts";
import type { ValueTable } from "./value-table.ts";

export interface LookupRequest extends LookupOptions {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly value: unknown;
}

export interface LookupAnswer {
  readonly value: unknown;
  /** false: the value is not in the mapping, and `value` is its substitute. */
  readonly found: boolean;
  /** The message that a run would fail with. */
  readonly error?: string;
}

/** Throws LookupError for a request that the table cannot answer: unknown columns, lists, ... */
export function lookUp(table: ValueTable, { from, to, value, ...options }: LookupRequest): LookupAnswer {
  const { qualifiers } = options;
  const strict = attempt(() => table.lookup(from, to, value, { qualifiers, onMissing: "error" }));
  if (!("missing" in strict)) return { value: strict.value, found: true };
  const lenient = attempt(() => table.lookup(from, to, value, options));
  if (!("missing" in lenient)) return { value: lenient.value, found: false };
  return { value: null, found: false, error: lenient.missing };
}

function attempt(look: () => unknown): { readonly value: unknown } | { readonly missing: string } {
  try {
    return { value: look() };
  } catch (error) {
    if (error instanceof LookupError && error.failure === "missing") return { missing: error.message };
    throw error;
  }
}
