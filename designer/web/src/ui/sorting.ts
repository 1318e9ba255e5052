/** The order of a table's rows. */
export interface Sort {
  readonly column: string;
  readonly descending: boolean;
}

/** Texts by the user's language, numbers in texts by their value; what has no value is last in both directions. */
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

export type SortValue = string | number | undefined;

/** @returns the rows in order; rows with equal values stay as they came */
export function sorted<Row>(
  rows: readonly Row[],
  keyOf: ((row: Row) => SortValue) | undefined,
  descending: boolean,
): readonly Row[] {
  if (keyOf === undefined) return rows;
  const sign = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: keyOf(row) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined);
      if (typeof a.value === "number" && typeof b.value === "number") return sign * (a.value - b.value);
      return sign * collator.compare(String(a.value), String(b.value));
    })
    .map(({ row }) => row);
}
