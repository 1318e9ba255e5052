/** Finds the item of a place in the text. */

import type { Path, Range } from "../../model/index.ts";
import { toCamelCase } from "../../model/names.ts";
import type { Item, ItemIndex } from "./items.ts";

/** The innermost item whose text an offset is in. */
export function itemAt({ items }: ItemIndex, offset: number): Item | undefined {
  let found: Item | undefined;
  for (const item of items.values()) {
    const { from, to } = item.range;
    if (item.kind === "branch" || from > offset || offset > to) continue;
    const size = to - from;
    if (found === undefined || size <= found.range.to - found.range.from) found = item;
  }
  return found;
}

/** The innermost item that a path leads to or into; keys may be in either of Camel's spellings. */
export function itemOfPath({ items }: ItemIndex, path: Path): Item | undefined {
  const keys = path.map((key) => toCamelCase(String(key)));
  let found: Item | undefined;
  for (const item of items.values()) {
    const at = item.kind === "step" ? item.itemPath : item.path;
    if (at.length > keys.length || !at.every((key, index) => toCamelCase(String(key)) === keys[index])) continue;
    if (at.length > 0 && (found === undefined || at.length >= lengthOf(found))) found = item;
  }
  return found;
}

function lengthOf({ kind, path, itemPath }: Item): number {
  return kind === "step" ? itemPath.length : path.length;
}

/** The text of an item; of a route or a trigger only what stands before its steps. */
export function ownRange({ items }: ItemIndex, { key, kind, range }: Item): Range {
  if (kind === "step" || kind === "operation") return range;
  let to = range.to;
  for (const item of items.values()) {
    const isInside = item.kind === "step" && item.range.from > range.from && item.range.from <= range.to;
    if (isInside && item.key !== key) to = Math.min(to, item.range.from - 1);
  }
  return { from: range.from, to: Math.max(range.from, to) };
}
