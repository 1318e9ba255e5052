/** Finds the primary key of the table that a result comes from. */
import type { SqlColumn, SqlRow } from "../sql-client.ts";

/** A column of a result, as the library describes it. */
export interface MysqlColumn extends SqlColumn {
  readonly schema: string;
  readonly orgTable: string;
  readonly orgName: string;
}

type Ask = (text: string, values: readonly unknown[]) => Promise<readonly SqlRow[]>;

const query =
  "select column_name as name from information_schema.key_column_usage where table_schema = ? and table_name = ? and constraint_name = 'PRIMARY' order by ordinal_position";

/** Returns its columns by their names in the result; undefined for several tables, and if a column is missing. */
export async function primaryKeyOf(columns: readonly MysqlColumn[], ask: Ask): Promise<readonly string[] | undefined> {
  const own = columns.filter(({ orgTable }) => orgTable !== "");
  const [first] = own;
  if (first === undefined || own.some((one) => one.schema !== first.schema || one.orgTable !== first.orgTable))
    return undefined;
  const rows = await ask(query, [first.schema, first.orgTable]);
  const names = rows.map((row) => own.find(({ orgName }) => orgName === row["name"])?.name);
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}
