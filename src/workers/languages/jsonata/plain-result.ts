/** Converts results of the library to data of a message. */
import { setOwn } from "../input.ts";

/**
 * Copies a result. The library's lists have marks and methods of their own, which are dropped; functions are not
 * allowed in a message.
 */
export function plainResult(result: unknown, known: Map<object, unknown> = new Map()): unknown {
  if (typeof result === "function" || result === undefined) return null;
  if (typeof result !== "object" || result === null) return result;
  if (isFunction(result)) return null;
  const done = known.get(result);
  if (done !== undefined) return done;
  if (Array.isArray(result)) {
    const list: unknown[] = [];
    known.set(result, list);
    for (const element of result) list.push(plainResult(element, known));
    return list;
  }
  const record: Record<string, unknown> = {};
  known.set(result, record);
  for (const [name, value] of Object.entries(result)) setOwn(record, name, plainResult(value, known));
  return record;
}

/** Whether a value is a function of the library or one of an expression. */
export function isFunction(value: object): boolean {
  return typeof value === "function" || "_jsonata_lambda" in value || "_jsonata_function" in value;
}
