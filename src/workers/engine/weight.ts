/** How much memory a value takes that a run keeps, near enough to bound it. */

/** A class whose objects know it of themselves. A symbol, so that no field of a tenant's object is taken for it. */
export const weight = Symbol("weight");

/** Values that are neither text nor bytes count for this. */
const leaf = 8;
/** A list, a map or an object, without what it holds: as JSON it is two signs, in memory many times that. */
const holder = 40;

/**
 * Bytes of memory, about: texts as UTF-8, bytes by their number, what holds others by `holder`, a bigint by its bits, anything else by
 * `leaf`, maps with their keys. What is held twice counts twice. Counts no further than a little above `most`, so that a value may be
 * of any size.
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

/** A text's bytes as UTF-8. */
export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Whether a text has more bytes than `most`; most texts are not looked at for it. */
export function isLonger(text: string, most: number): boolean {
  return text.length > most || (text.length * 3 > most && bytesOf(text) > most);
}

/** Without what it holds, which comes to `pending`. */
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

/** What the value weighs that holds nothing; 0 for another, which comes to `pending`: few lists are copied for their weight. */
function weighedOr(value: unknown, pending: unknown[]): number {
  if (typeof value === "string") return bytesOf(value);
  if (typeof value !== "object" || value === null) return leafOf(value);
  pending.push(value);
  return 0;
}

function isWeighed(value: object): value is { readonly [weight]: number } {
  return weight in value;
}
