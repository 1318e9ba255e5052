/** The edits of a document as edits of plain data: what the edits of its text are proved by. */
import type { Path } from "../../model/types.ts";

type Data = Readonly<Record<string, unknown>>;

/** A copy with another value at a path; objects on the way are made. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  return changed(root, path, () => value);
}

export function withoutAt(root: unknown, path: Path): unknown {
  const last = path.at(-1) as string | number;
  return changed(root, path.slice(0, -1), (holder) =>
    Array.isArray(holder)
      ? holder.toSpliced(Number(last), 1)
      : Object.fromEntries(Object.entries(holder as Data).filter(([name]) => name !== last)),
  );
}

/** `name`: of the new member when the holder is an object. */
export function insertedAt(root: unknown, path: Path, at: number, value: unknown, name?: string): unknown {
  return changed(root, path, (holder) =>
    Array.isArray(holder)
      ? holder.toSpliced(at, 0, value)
      : Object.fromEntries(Object.entries(holder as Data).toSpliced(at, 0, [String(name), value])),
  );
}

export function renamed(root: unknown, path: Path, name: string): unknown {
  const last = path.at(-1);
  return changed(root, path.slice(0, -1), (holder) =>
    Object.fromEntries(Object.entries(holder as Data).map(([key, value]) => [key === last ? name : key, value])),
  );
}

export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  return list.toSpliced(from, 1).toSpliced(to, 0, list[from] as T);
}

function changed(at: unknown, [key, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (key === undefined) return change(at);
  if (Array.isArray(at)) return at.map((item, index) => (index === Number(key) ? changed(item, rest, change) : item));
  const map = (typeof at === "object" && at !== null ? at : {}) as Data;
  return { ...map, [key]: changed(map[key], rest, change) };
}
