/** What is around a message as variables of an expression. */
import { jsonData } from "../../engine/json-data.ts";

/** Read by name only: no prototype behind. A header stays text, whatever is in it. */
export function bindings(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) record[name] = jsonData(value);
  return record;
}
