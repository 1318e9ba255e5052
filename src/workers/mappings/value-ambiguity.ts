/** Rows with the same value and equally many qualifiers of different names, which both count for a caller who has them all. */
import type { Scalar, ValueMappingModel, ValueRow } from "../../shared/mapping-models.ts";
import type { Clash } from "../../shared/value-table-build.ts";
import { normalText } from "../../shared/value-table-layout.ts";

/** Rows with the very same names of qualifiers are found while the table is built. */
export function findAmbiguities(model: ValueMappingModel, onClash: Clash): void {
  const sets = new Map<string, QualifierSet>();
  model.rows.forEach((row, at) => {
    if (row.when === undefined || row.when.size === 0) return;
    const names = [...row.when.keys()].sort();
    const id = JSON.stringify(names);
    const set = sets.get(id) ?? { names, rows: [] };
    set.rows.push(at);
    sets.set(id, set);
  });
  const all = [...sets.values()];
  all.forEach((one, at) => {
    for (const other of all.slice(at + 1))
      if (one.names.length === other.names.length) compare(model, one, other, onClash);
  });
}

interface QualifierSet {
  readonly names: readonly string[];
  readonly rows: number[];
}

/** Two rows apply together unless a qualifier that both have tells them apart. */
function compare(model: ValueMappingModel, one: QualifierSet, other: QualifierSet, onClash: Clash): void {
  const common = one.names.filter((name) => other.names.includes(name));
  const first = new Map<string, number>();
  walk(model, one, common, (key, row) => first.set(key, first.get(key) ?? row));
  walk(model, other, common, (key, row, column, value) => {
    const earlier = first.get(key);
    if (earlier !== undefined) onClash(column, Math.max(row, earlier), Math.min(row, earlier), value);
  });
}

function walk(
  model: ValueMappingModel,
  { rows }: QualifierSet,
  common: readonly string[],
  visit: (key: string, row: number, column: number, value: Scalar) => void,
): void {
  const columns = model.oneWay ? 1 : model.columns.length;
  for (const at of rows) {
    const { cells, when } = model.rows[at] as ValueRow;
    const shared = common.map((name) => textOf(when?.get(name) ?? "", model));
    for (let column = 0; column < columns; column++) {
      for (const value of cells[column] ?? []) {
        if (value !== null) visit(JSON.stringify([column, textOf(value, model), ...shared]), at, column, value);
      }
    }
  }
}

function textOf(value: Scalar, model: ValueMappingModel): string {
  return normalText(value ?? "", model);
}
