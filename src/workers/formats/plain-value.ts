/** A body as maps, lists and scalars only, for libraries that know nothing of this runtime's values. */
import { dataOf } from "../engine/json-data.ts";
import { tooDeep, writeJson } from "../engine/write-json.ts";

/** Dates and bytes stay. Throws LimitExceededException for a value that would take more than `maxBytes` or nests too deep. */
export function plainValue(value: unknown, maxBytes: number): unknown {
  writeJson(value, maxBytes);
  try {
    return dataOf(value, (leaf) => leaf) ?? null;
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}
