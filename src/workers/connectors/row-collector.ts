/** Collects the rows of a result within the bytes that it may take. */
import { limitExceeded } from "../engine/exception.ts";
import { weightOf } from "../engine/weight.ts";
import type { SqlRow } from "./sql-client.ts";

export class RowCollector {
  readonly rows: SqlRow[] = [];
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Returns false, and keeps no row any more, when the rows are too large. */
  add(row: SqlRow): boolean {
    if (this.isFull) return false;
    this.#bytes += weightOf(row, this.#maxBytes);
    if (!this.isFull) this.rows.push(row);
    return !this.isFull;
  }

  get isFull(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  /** Makes the failure for rows that are too large. */
  tooLarge(): Error {
    return limitExceeded(
      "outboundResponseBytes",
      `the rows of a result have at most ${this.#maxBytes} bytes: read fewer, or with outputType=StreamList`,
    );
  }
}

/** Makes a row of values in the order of the columns. Of columns with the same name the first one counts (Spring: ColumnMapRowMapper). */
export function rowOf(names: readonly string[], values: readonly unknown[]): SqlRow {
  const row: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) if (!Object.hasOwn(row, name)) put(row, name, values[index] ?? null);
  return row;
}

/** A column may have any name. */
function put(row: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__")
    Object.defineProperty(row, name, { value, enumerable: true, writable: true, configurable: true });
  else row[name] = value;
}
