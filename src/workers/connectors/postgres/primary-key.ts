/** Finds the primary key of the table that a result comes from. */
import type { SqlRow } from "../sql-client.ts";
import type { PostgresColumn } from "./library.ts";

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly SqlRow[]>;

const query =
  "select a.attnum as number from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey) where i.indrelid = $1 and i.indisprimary";

/** Returns its columns by their names in the result; undefined for several tables, and if a column is missing. */
export async function primaryKeyOf(
  columns: readonly PostgresColumn[],
  ask: Ask,
): Promise<readonly string[] | undefined> {
  const tables = new Set(columns.map(({ tableID }) => tableID).filter((id) => id > 0));
  const [table] = tables;
  if (table === undefined || tables.size > 1) return undefined;
  const rows = await ask(query, [table]);
  const names = rows.map(
    ({ number }) => columns.find(({ tableID, columnID }) => tableID === table && columnID === number)?.name,
  );
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}
