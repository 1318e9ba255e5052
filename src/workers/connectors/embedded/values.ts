/** Values of messages as parameters of SQLite, which has whole numbers, fractions, texts and bytes. */
import { JsonText } from "../../engine/message.ts";
import { writeJson } from "../../engine/write-json.ts";

const longest = 2n ** 63n;

export function parameterOf(value: unknown, maxBytes: number): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint") return value >= -longest && value < longest ? value : String(value);
  if (typeof value !== "object" || value === null) return value ?? null;
  if (value instanceof JsonText) return value.text;
  if (value instanceof Uint8Array) return value;
  // As SQLite's functions write and read dates.
  if (value instanceof Date) return value.toISOString().replace("T", " ").replace("Z", "");
  return writeJson(value, maxBytes);
}
