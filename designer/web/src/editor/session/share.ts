/** Keeps the parts of a tree that an edit has not changed as the objects that they were, so that they are not drawn again. */

/** @returns `after`, with each part that equals the one of `before` but for its place in the text replaced by it */
export function shareParts<T>(before: T, after: T): T {
  return shared(before, after) as T;
}

function shared(before: unknown, after: unknown): unknown {
  if (Object.is(before, after) || typeof after !== "object" || after === null) return after;
  if (typeof before !== "object" || before === null) return after;
  if (Array.isArray(after)) {
    if (!Array.isArray(before)) return after;
    const items = after.map((item, at) => shared(before[at], item));
    return items.length === before.length && items.every((item, at) => Object.is(item, before[at])) ? before : items;
  }
  const old = before as Data;
  const entries = Object.entries(after).map(([name, value]) => [name, shared(old[name], value)] as const);
  const same = entries.every(([name, value]) => name === "range" || Object.is(value, old[name]));
  return same && entries.length === Object.keys(old).length ? before : Object.fromEntries(entries);
}

type Data = Readonly<Record<string, unknown>>;
