/** Estimates the memory of a value that a run keeps, in order to bound it. */

/** The method of classes that measure their own objects. A symbol, so that no field of a message is taken for it. */
export const weight = Symbol("weight");

/** Bytes of a value that is neither text nor bytes. */
const leaf = 8;
/** Bytes of a list, a map or an object without its content: two characters as JSON, but much more in memory. */
const holder = 40;

/**
 * Returns approximate bytes of memory: texts as UTF-8, bytes by their number, containers as `holder` plus content and
 * keys, a bigint by its bits, other values as `leaf`. A value that occurs twice counts twice. Stops slightly above
 * `most`, so that a value may be of any size.
 */
export function weightOf(value: unknown, most: number): number {
  if (typeof value === "string") return bytesOf(value);
  if (typeof value !== "object" || value === null) return leafOf(value);
  if (value instanceof Uint8Array) return value.length;
  const pending: unknown[] = [value];
  let total = 0;
  while (pending.length > 0 && total <= most) {
    const one = pending.pop();
    if (typeof one === "string") total += bytesOf(one);
    else if (typeof one !== "object" || one === null) total += leafOf(one);
    else if (one instanceof Uint8Array) total += one.length;
    else total += holder + weightOfObject(one, most - total, pending);
  }
  return total;
}

function leafOf(value: unknown): number {
  return typeof value === "bigint" ? leaf + Math.ceil(value.toString(16).length / 2) : leaf;
}

/** The bytes of a text as UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Whether a text has more bytes than `most`. Most texts are decided by their length alone. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && bytesOf(text) > most);
}

/** Weighs an object without its content, which it adds to `pending`. */
function weightOfObject(value: object, most: number, pending: unknown[]): number {
  if (isWeighed(value)) return value[weight];
  if (Array.isArray(value)) return value.length * leaf > most ? value.length * leaf : pushed(value, most, pending);
  if (value instanceof Set) return value.size * leaf > most ? value.size * leaf : pushed(value, most, pending);
  if (value instanceof Map) return pushed(value.keys(), most, pending) + pushed(value.values(), most, pending);
  if (value instanceof Error) {
    pending.push(value.cause, (value as { readonly details?: unknown }).details);
    return bytesOf(value.message);
  }
  let bytes = 0;
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    if (bytes > most) break;
    bytes += bytesOf(name) + weighedOr((value as Record<string, unknown>)[name], pending);
  }
  return bytes;
}

function pushed(values: Iterable<unknown>, most: number, pending: unknown[]): number {
  let bytes = 0;
  for (const value of values) {
    bytes += weighedOr(value, pending);
    if (bytes > most) break;
  }
  return bytes;
}

/**
 * Returns the weight of a value without content; returns 0 for a container and adds it to `pending`. So few lists are
 * copied.
 */
function weighedOr(value: unknown, pending: unknown[]): number {
  if (typeof value === "string") return bytesOf(value);
  if (typeof value !== "object" || value === null) return leafOf(value);
  pending.push(value);
  return 0;
}

function isWeighed(value: object): value is { readonly [weight]: number } {
  return weight in value;
}
