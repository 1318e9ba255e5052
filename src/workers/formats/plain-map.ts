/** Maps that are made of somebody else's names. */

/** Sets an entry of a plain object, which takes less memory than one without a prototype; `__proto__` is a name like any other. */
export function putEntry(map: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") map[name] = value;
  else Object.defineProperty(map, name, { value, writable: true, enumerable: true, configurable: true });
}
