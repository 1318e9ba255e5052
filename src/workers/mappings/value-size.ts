/** How large a table may become: every thread that uses the mapping has a copy. */
import type { Limits } from "../../shared/limits.ts";
import type { ValueMappingModel } from "../../shared/mapping-models.ts";
import type { Findings } from "./value-findings.ts";

/** On the average of a mapping with as many rows as it may have. */
const valuesPerRow = 10;

export function checkSize({ rows, columns }: ValueMappingModel, { mappingRows }: Limits, findings: Findings): void {
  const most = mappingRows * valuesPerRow;
  const fields = rows.length * columns.length;
  if (fields > most) {
    const shape = `${rows.length} rows of ${columns.length} columns`;
    findings.problem("", `${shape} are ${fields} cells: a value mapping has at most ${most}`);
  }
  let values = 0;
  for (const { cells } of rows) for (const cell of cells) values += cell.length;
  if (values > most) findings.problem("", `${values} values in all cells: a value mapping has at most ${most}`);
}
