/** Maps whose names come from messages. */

/**
 * Sets an entry of a plain object, which takes less memory than one without a prototype; `__proto__` becomes an
 * ordinary name.
 */
export function putEntry(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") map[name] = value;
  else Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
}
