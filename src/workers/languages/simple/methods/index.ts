/** Finds the methods of a value by its type. */
import { isPlainObject } from "../../../engine/convert.ts";
import { Exchange } from "../../../engine/exchange.ts";
import { ManualCommit } from "../../../engine/manual-commit.ts";
import { Message } from "../../../engine/message.ts";
import { exceptionMethods, exchangeMethods, manualCommitMethods, messageMethods } from "./exchange.ts";
import type { MethodTable } from "./method.ts";
import { textMethods } from "./text.ts";
import { booleanMethods, bytesMethods, dateMethods, listMethods, mapMethods, numberMethods } from "./values.ts";

const none: MethodTable = new Map();
const tables = [
  textMethods,
  numberMethods,
  booleanMethods,
  dateMethods,
  bytesMethods,
  listMethods,
  mapMethods,
  exceptionMethods,
  exchangeMethods,
  messageMethods,
  manualCommitMethods,
];

export function methodsOf(value: unknown): MethodTable {
  switch (typeof value) {
    case "string":
      return textMethods;
    case "number":
    case "bigint":
      return numberMethods;
    case "boolean":
      return booleanMethods;
    case "object":
      if (Array.isArray(value)) return listMethods;
      if (isPlainObject(value)) return mapMethods;
      if (value instanceof Date) return dateMethods;
      if (value instanceof Uint8Array) return bytesMethods;
      if (value instanceof Error) return exceptionMethods;
      if (value instanceof Exchange) return exchangeMethods;
      if (value instanceof ManualCommit) return manualCommitMethods;
      return value instanceof Message ? messageMethods : none;
    default:
      return none;
  }
}

/** All methods of all types, for suggestions. */
export const methodNames: ReadonlySet<string> = new Set(["getClass", ...tables.flatMap((table) => [...table.keys()])]);
