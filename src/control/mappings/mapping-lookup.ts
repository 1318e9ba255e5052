/** A single lookup for somebody who looks at a value mapping. */
import { AppError } from "../../shared/errors.ts";
import { LookupError } from "../../shared/value-lookup.ts";
import type { ValueTable } from "../../shared/value-table.ts";
import { nameOf } from "./mapping-kinds.ts";
import type { LookupAnswer, LookupRequest } from "./mapping-service.ts";

/** Throws AppError mapping_invalid for what can be looked up in no table like this: columns that it does not have, lists, ... */
export function lookUp(id: string, table: ValueTable, { from, to, value, ...options }: LookupRequest): LookupAnswer {
  const { qualifiers } = options;
  const strict = attempt(id, () => table.lookup(from, to, value, { qualifiers, onMissing: "error" }));
  if (!("missing" in strict)) return { value: strict.value, found: true };
  const lenient = attempt(id, () => table.lookup(from, to, value, options));
  if (!("missing" in lenient)) return { value: lenient.value, found: false };
  return { value: null, found: false, error: lenient.missing };
}

function attempt(id: string, look: () => unknown): { readonly value: unknown } | { readonly missing: string } {
  try {
    return { value: look() };
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    if (error.failure === "missing") return { missing: error.message };
    throw new AppError("mapping_invalid", `${nameOf("value", id)}: ${error.message}`);
  }
}
