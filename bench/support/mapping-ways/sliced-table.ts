/**
 * In place of `shared/value-table-build.ts` and `shared/value-table.ts`: what a check thread makes of a mapping is its rows as JSON, in slices
 * that a thread reads one at a time. Only for mappings of two columns with one value a cell, without `when`.
 */
import type { ValueMappingModel } from "../../../src/shared/mapping-models.ts";

const sliceRows = 2000;

/** What is ahead of the slices. */
export interface SlicedHead extends Omit<ValueMappingModel, "rows"> {
  readonly rows: number;
}

/** Each part behind its length: the head, then lists of cells, row by row. */
export function buildValueTable({ rows, ...rules }: ValueMappingModel): Uint8Array {
  const parts = [JSON.stringify({ ...rules, rows: rows.length } satisfies SlicedHead)];
  for (let at = 0; at < rows.length; at += sliceRows) {
    const cells = rows.slice(at, at + sliceRows).flatMap((row) => {
      if (row.cells.length !== 2 || row.when !== undefined) throw new RangeError("the bench's way has two columns");
      return row.cells.map(([value]) => value);
    });
    parts.push(JSON.stringify(cells));
  }
  const texts = parts.map((part) => Buffer.from(part));
  const lengths = texts.map(({ length }) => Buffer.from(Uint32Array.of(length).buffer));
  return new Uint8Array(Buffer.concat(texts.flatMap((text, i) => [lengths[i] as Buffer, text])));
}

/** The head, then each slice. */
export function* partsOf(data: Uint8Array): Generator<unknown, void> {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    yield JSON.parse(bytes.toString("utf8", at + 4, end));
    at = end;
  }
}

/** Only opened by a check, whose mapping has no tests. */
export class ValueTable {
  lookup(): never {
    throw new Error("a mapping of the bench has no tests");
  }
}
