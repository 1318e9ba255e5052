/** Proves edits before they are made: the result reads as the same edit on plain data does, and nothing else changed. */
import { applyChanges, parse } from "./document.ts";
import { findKey } from "./names.ts";
import { plain } from "./place.ts";
import { EditRefused } from "./refused.ts";
import type { Change, FlowText, Path } from "./types.ts";

/** Returns the changes, or refuses them: what is wrong or silent is worse than an edit that is not made. */
export function prove(flow: FlowText, changes: readonly Change[], edit: (root: unknown) => unknown): Change[] {
  const after = parse(applyChanges(flow.text, changes));
  const before = flow.documents.map((document) => document.contents && plain(document.contents, document));
  const expected = [edit(before[0] ?? null), ...before.slice(1)];
  const found = after.documents.map((document) => document.contents && plain(document.contents, document));
  if (after.errors.length > 0 || !same(found, expected)) throw new EditRefused("unproved");
  return [...changes];
}

export function same(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && same((one as Data)[key], (other as Data)[key]));
}

type Data = Record<string, unknown>;

/** Returns a copy of plain data with another value at a path; parts that are missing are maps. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  return changed(root, path, () => value);
}

export function without(root: unknown, path: Path): unknown {
  const last = path.at(-1) as string | number;
  return changed(root, path.slice(0, -1), (holder) => {
    if (Array.isArray(holder)) return holder.filter((_, index) => index !== Number(last));
    const key = findKey(Object.keys(holder as Data), String(last));
    return Object.fromEntries(Object.entries(holder as Data).filter(([name]) => name !== key));
  });
}

export function withItems(root: unknown, path: Path, index: number, values: readonly unknown[]): unknown {
  return changed(root, path, (list) => {
    const items = Array.isArray(list) ? list : [];
    return [...items.slice(0, index), ...values, ...items.slice(index)];
  });
}

function changed(at: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(at);
  if (Array.isArray(at)) return at.map((item, index) => (index === Number(key) ? changed(item, rest, change) : item));
  const map = (typeof at === "object" && at !== null ? at : {}) as Data;
  const name = findKey(Object.keys(map), String(key)) ?? String(key);
  return { ...map, [name]: changed(map[name], rest, change) };
}
