/** Lookups as docs/api.md tells them, written down without any care for speed: what tables are compared with. */
import type { LookupOptions, MissingMode } from "../../../src/shared/value-lookup.ts";

export type Value = string | number | boolean | null;

export interface NaiveRow {
  readonly cells: ReadonlyMap<string, readonly Value[]>;
  readonly when: ReadonlyMap<string, Value>;
}

export interface NaiveRule {
  readonly onMissing?: MissingMode | undefined;
  readonly default?: Value | undefined;
}

export interface NaiveMapping extends NaiveRule {
  readonly columns: readonly string[];
  readonly rows: readonly NaiveRow[];
  readonly match: { readonly caseSensitive: boolean; readonly trim: boolean };
  readonly typed: boolean;
  readonly bidirectional: boolean;
  readonly lookups: readonly (NaiveRule & { readonly from: string; readonly to: string })[];
}

/** The document in the documented form. */
export function documentOf({ columns, rows, ...rest }: NaiveMapping, onAmbiguous: "error" | "first"): unknown {
  const written = rows.map(({ cells, when }) => {
    const entries = [...cells].map(([name, values]) => [name, values.length === 1 ? values[0] : values] as const);
    const own = Object.fromEntries<unknown>(entries);
    return when.size === 0 ? own : { ...own, when: Object.fromEntries(when) };
  });
  return { columns, rows: written, onAmbiguous, ...rest };
}

export function same(a: Value, b: unknown, { match, typed }: NaiveMapping): boolean {
  if (a === null || b === null || b === undefined) return false;
  if (typed && typeof a !== typeof b) return false;
  const [left, right] = [a, b].map((value) => {
    const text = match.trim ? String(value).trim() : String(value);
    return match.caseSensitive ? text : text.toLowerCase();
  });
  return left === right;
}

/** Two rows that a caller could find by one value, with nothing to choose between them. */
export function isAmbiguous(mapping: NaiveMapping): boolean {
  const columns = mapping.bidirectional ? mapping.columns : mapping.columns.slice(0, 1);
  return mapping.rows.some((row, at) =>
    mapping.rows
      .slice(at + 1)
      .some(
        (other) =>
          row.when.size === other.when.size &&
          [...row.when].every(([name, value]) => !other.when.has(name) || same(value, other.when.get(name), mapping)) &&
          columns.some((column) =>
            (row.cells.get(column) ?? []).some((value) =>
              (other.cells.get(column) ?? []).some((second) => same(value, second, mapping)),
            ),
          ),
      ),
  );
}

export const notFound = Symbol("not found");

export function naiveLookup(
  mapping: NaiveMapping,
  from: string,
  to: string,
  value: Value,
  options: LookupOptions,
): unknown {
  const qualifiers = new Map(Object.entries(options.qualifiers ?? {}));
  const fitting = mapping.rows.filter(
    ({ cells, when }) =>
      (cells.get(from) ?? []).some((one) => same(one, value, mapping)) &&
      [...when].every(([name, wanted]) => same(wanted, qualifiers.get(name), mapping)),
  );
  // Of rows with the same qualifiers the first one counts, and no other.
  const names = ({ when }: NaiveRow): string => JSON.stringify([...when.keys()].sort());
  const first = fitting.filter((row, at) => fitting.findIndex((other) => names(other) === names(row)) === at);
  const [best] = first
    .filter(({ cells }) => (cells.get(to) ?? []).length > 0)
    .sort((a, b) => b.when.size - a.when.size || mapping.rows.indexOf(a) - mapping.rows.indexOf(b));
  if (best !== undefined) return best.cells.get(to)?.[0];
  const pair = mapping.lookups.find((rule) => rule.from === from && rule.to === to);
  const rules: (NaiveRule | LookupOptions | undefined)[] = [options, pair, mapping];
  const told = rules.find((rule) => rule?.onMissing !== undefined || rule?.default !== undefined);
  const mode = told === undefined ? "error" : (told.onMissing ?? "default");
  if (mode === "null") return null;
  if (mode === "passthrough") return value;
  const other = rules.find((rule) => rule?.default !== undefined);
  return mode === "default" && other !== undefined ? other.default : notFound;
}
