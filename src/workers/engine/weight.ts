/** How much memory a value takes that a run keeps, near enough to bound it. */

/** A class whose objects know it of themselves. A symbol, so that no field of a tenant's object is taken for it. */
export const weight = Symbol("weight");

/** Values that are neither text nor bytes count for this. */
const leaf = 8;

/**
 * Bytes, about those of the value as JSON: texts by their characters, bytes by their number, anything else by `leaf`, maps with their
 * keys. What is held twice counts twice. Counts no further than a little above `most`, so that a value may be of any size.
 */
export function weightOf(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return leaf;
  if (value instanceof Uint8Array) return value.length;
  const pending: unknown[] = [value];
  let total = 0;
  while (pending.length > 0 && total <= most) {
    const one = pending.pop();
    if (typeof one === "string") total += one.length;
    else if (typeof one !== "object" || one === null) total += leaf;
    else if (one instanceof Uint8Array) total += one.length;
    else total += leaf + weightOfObject(one, most - total, pending);
  }
  return total;
}

/** Without what it holds, which comes to `pending`. */
function weightOfObject(value: object, most: number, pending: unknown[]): number {
  if (isWeighed(value)) return value[weight];
  if (Array.isArray(value)) return value.length * leaf > most ? value.length * leaf : pushed(value, pending);
  if (value instanceof Set) return value.size * leaf > most ? value.size * leaf : pushed(value, pending);
  if (value instanceof Map) return pushed(value.keys(), pending) + pushed(value.values(), pending);
  if (value instanceof Error) {
    pending.push(value.cause, (value as { readonly details?: unknown }).details);
    return value.message.length;
  }
  let names = 0;
  for (const name in value) {
    if (!Object.hasOwn(value, name)) continue;
    names += name.length;
    pending.push((value as Record<string, unknown>)[name]);
  }
  return names;
}

function pushed(values: Iterable<unknown>, pending: unknown[]): 0 {
  for (const value of values) pending.push(value);
  return 0;
}

function isWeighed(value: object): value is { readonly [weight]: number } {
  return weight in value;
}
