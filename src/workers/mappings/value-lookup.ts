/** A value mapping for a run: a table whose failures name the mapping. */
import { LookupError, type LookupFailure } from "../../shared/value-lookup.ts";
import { ValueTable } from "../../shared/value-table.ts";
import { asText, asValue } from "../engine/convert.ts";
import { FlowException } from "../engine/exception.ts";
import type { LookupOptions, ValueLookup } from "../engine/mappings.ts";
import { XmlNode } from "../engine/xml-value.ts";

const types: Readonly<Record<LookupFailure, string>> = {
  missing: "ValueMappingNotFoundException",
  column: "java.lang.IllegalArgumentException",
  value: "java.lang.IllegalArgumentException",
  document: "ValueMappingNotFoundException",
  data: "java.lang.IllegalStateException",
};

/** `data`: a table, which must not change. Throws FlowException for other data. */
export function valueLookup(id: string, data: Uint8Array): ValueLookup {
  const table = named(id, () => new ValueTable(data));
  return {
    lookup(from, to, value, options) {
      return named(id, () => table.lookup(from, to, plainValue(value), withPlainQualifiers(options)));
    },
  };
}

function named<T>(id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    throw new FlowException(types[error.failure], `value mapping '${id}': ${error.message}`);
  }
}

/** Reads a JSON text as its value; XML and bytes become text. */
function plainValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = asValue(value);
  return inner instanceof Uint8Array || inner instanceof XmlNode ? asText(inner) : inner;
}

function withPlainQualifiers(options: LookupOptions | undefined): LookupOptions | undefined {
  if (options?.qualifiers === undefined) return options;
  const entries = Object.entries(options.qualifiers).map(([name, value]) => [name, plainValue(value)] as const);
  return { ...options, qualifiers: Object.fromEntries(entries) };
}
