/** Values of PostgreSQL's types, by their OIDs, and values of messages as parameters. */
import pg from "pg";
import { JsonText } from "../../engine/message.ts";
import { writeJson } from "../../engine/write-json.ts";
import { decimalValue, jsonValue, timestampText, wholeValue } from "../sql-values.ts";

type Read = (text: string) => unknown;

const same: Read = (text) => text;

/** A time with an offset, as the session's zone shows it: Java prints the local time. */
const zoned: Read = (text) => timestampText(text.replace(/[+-]\d\d(?::?\d\d){0,2}(?= BC$|$)/, ""));

/** Scalar types with the OIDs of their lists. Other types are texts. */
const types: readonly (readonly [oid: number, list: number, read: Read])[] = [
  [16, 1000, (text) => text === "t"],
  [17, 1001, bytesOf],
  [20, 1016, wholeValue],
  [21, 1005, wholeValue],
  [23, 1007, wholeValue],
  [26, 1028, wholeValue],
  [114, 199, jsonValue],
  [700, 1021, floatOf],
  [701, 1022, floatOf],
  [1114, 1115, timestampText],
  [1184, 1185, zoned],
  [1700, 1231, decimalValue],
  [3802, 3807, jsonValue],
  // Texts, of which lists have an OID of their own.
  [18, 1002, same],
  [19, 1003, same],
  [25, 1009, same],
  [1042, 1014, same],
  [1043, 1015, same],
  [1082, 1182, same],
  [1083, 1183, same],
  [1266, 1270, same],
  [1186, 1187, same],
  [2950, 2951, same],
];

const readers = new Map<number, Read>();
for (const [oid, list, read] of types) readers.set(oid, read).set(list, (text) => listOf(text, read));

/** What pg reads the texts of columns with. */
export const typeParsers = {
  getTypeParser: (oid: number) => readers.get(oid) ?? same,
} as unknown as pg.CustomTypesConfig;

function listOf(text: string, read: Read): unknown {
  const { arrayParser } = pg.types as unknown as {
    readonly arrayParser: { create(text: string, read: Read): { parse(): unknown } };
  };
  // A list may begin with the bounds of its indexes.
  const from = text.startsWith("[") ? text.indexOf("=") + 1 : 0;
  return arrayParser.create(text.slice(from), read).parse();
}

/** `\x` and hexadecimal digits; NaN and Infinity are numbers, too. */
function bytesOf(text: string): Uint8Array {
  return text.startsWith("\\x") ? new Uint8Array(Buffer.from(text.slice(2), "hex")) : new Uint8Array(Buffer.from(text));
}

function floatOf(text: string): number {
  return Number(text);
}

/** A value as pg writes it: lists become arrays, maps JSON. */
export function parameterOf(value: unknown, maxBytes: number): unknown {
  if (typeof value !== "object" || value === null) return typeof value === "bigint" ? String(value) : value;
  if (value instanceof JsonText) return value.text;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length);
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((element) => parameterOf(element, maxBytes));
  return writeJson(value, maxBytes);
}
