/** What is around a message as variables of an expression. */
import { jsonInput } from "../json-input.ts";

/** Read by name only: no prototype behind. */
export function bindings(entries: Iterable<readonly [string, unknown]>): Record<string, unknown> {
  const record: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) record[name] = jsonInputOrText(value);
  return record;
}

/** A header stays text, whatever is in it. */
function jsonInputOrText(value: unknown): unknown {
  return typeof value === "string" || value instanceof Uint8Array ? value : jsonInput(value, "");
}
