/** Failures of embedded databases under Camel's class names. */
import { DatabaseFailed } from "../../engine/connections/database-line.ts";
import { sqlFailure } from "../sql-failure.ts";

/** SQL states by SQLite's result codes, the extended ones first (https://www.sqlite.org/rescode.html). */
const states: Readonly<Record<number, string>> = {
  // Unique columns, primary keys and row ids.
  2067: "23505",
  1555: "23505",
  2579: "23505",
  1: "42000",
  5: "40001",
  6: "40001",
  7: "53200",
  8: "42501",
  10: "58030",
  11: "58030",
  13: "53100",
  18: "54000",
  19: "23000",
  20: "22000",
  23: "42501",
  25: "07001",
  26: "58030",
};

/** Returns what a component rejects with. An error that is not the database's is returned as it is. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof DatabaseFailed)) return error;
  const { message, code, state } = error.failure;
  return sqlFailure({ message, state: state ?? states[code] ?? states[code & 0xff], code, cause: error });
}
