/** Values of MySQL's types, and values of messages as parameters. */
import mysql from "mysql2";
import { JsonText } from "../../engine/message.ts";
import { writeJson } from "../../engine/write-json.ts";
import { decimalValue, jsonValue, timestampText, wholeValue } from "../sql-values.ts";

/** What the library gives of a column, beyond its types. */
interface Column {
  readonly type: string;
  readonly length: number;
  readonly extendedFormat?: string;
}

/** Reads a value; `next` gives it as the library reads it. */
export function readValue(column: unknown, next: () => unknown): unknown {
  const { type, length, extendedFormat } = column as Column;
  const value = next();
  if (value === null || value === undefined) return null;
  if (extendedFormat === "json" || type === "JSON") return jsonValue(String(value));
  switch (type) {
    case "TINY":
      // TINYINT(1) is what BOOLEAN stands for.
      return length === 1 ? value !== 0 : value;
    case "BIT":
      return length === 1 ? (value as Uint8Array)[0] === 1 : bytesOf(value as Uint8Array);
    case "LONGLONG":
      return wholeValue(String(value));
    case "DECIMAL":
    case "NEWDECIMAL":
      return decimalValue(String(value));
    case "DATETIME":
    case "TIMESTAMP":
      return timestampText(String(value));
    default:
      return value instanceof Uint8Array ? bytesOf(value) : value;
  }
}

/** The library's bytes are a part of what it has received. */
function bytesOf(value: Uint8Array): Uint8Array {
  return new Uint8Array(value);
}

const longest = 2n ** 63n;

/** A value as the library sends it: whole numbers keep all digits, lists and maps become JSON. */
export function parameterOf(value: unknown, maxBytes: number): mysql.ExecuteValues {
  if (typeof value === "number") return Number.isSafeInteger(value) ? wholeOf(BigInt(value)) : value;
  if (typeof value === "bigint") return value >= -longest && value < longest ? wholeOf(value) : String(value);
  if (typeof value !== "object" || value === null) return value as mysql.ExecuteValues;
  if (value instanceof JsonText) return value.text;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  return value instanceof Date ? value : writeJson(value, maxBytes);
}

function wholeOf(value: bigint): mysql.ExecuteValues {
  return mysql.TypedParameter.BIGINT(value) as unknown as mysql.ExecuteValues;
}
