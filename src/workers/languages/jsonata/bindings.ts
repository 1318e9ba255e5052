/** Makes variables for an expression from what surrounds the message. */
import { jsonData } from "../../engine/json-data.ts";

/** Makes an object without a prototype, to be read by name only. A header stays text, whatever it contains. */
export function bindings(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) record[name] = jsonData(value);
  return record;
}
