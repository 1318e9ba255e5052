/** Finds the primary key of the table that a result comes from. */
import type { SqlColumn, SqlRow } from "../sql-client.ts";

/** A column of a result, with the one that it comes from; null: it is calculated. */
export interface EmbeddedColumn extends SqlColumn {
  readonly table: string | null;
  readonly column: string | null;
}

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly SqlRow[]>;

const query = "select name from pragma_table_info(?) where pk > 0 order by pk";

/** Returns its columns by their names in the result; undefined for several tables, and if a column is missing. */
export async function primaryKeyOf(
  columns: readonly EmbeddedColumn[],
  ask: Ask,
): Promise<readonly string[] | undefined> {
  const own = columns.filter(({ table }) => table !== null);
  const [first] = own;
  if (first === undefined || own.some(({ table }) => table !== first.table)) return undefined;
  const rows = await ask(query, [first.table]);
  const names = rows.map((row) => own.find(({ column }) => column === row["name"])?.name);
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}
