/** Reads and changes values at paths; a value itself is never modified. */
import { setOwn } from "../input.ts";
import {
  asPlace,
  chargeList,
  checkLength,
  compare,
  copyOf,
  isObject,
  JqError,
  type Json,
  shorten,
  sorted,
  surrogates,
  typeOf,
} from "./values.ts";

export type Path = readonly Json[];

/** Evaluates `.[key]`; a slice's key is `{"start": 1, "end": 2}`. Throws JqError. */
export function getIndex(value: Json, given: Json): Json {
  const key = asPlace(given);
  if (isObject(value) && typeof key === "string") return Object.hasOwn(value, key) ? value[key] : null;
  if (Array.isArray(value) && typeof key === "number") {
    const at = Math.floor(key);
    return value[at < 0 ? at + value.length : at] ?? null;
  }
  if (isObject(key) && (Array.isArray(value) || value === null || typeof value === "string")) {
    return getSlice(value, key["start"] ?? null, key["end"] ?? null);
  }
  if (value === null && (typeof key === "string" || typeof key === "number" || key === null)) return null;
  if (Array.isArray(value) && Array.isArray(key)) return indicesOf(value, key);
  throw new JqError(
    typeof key === "string" && !Array.isArray(value)
      ? `Cannot index ${typeOf(value)} with ${shorten(key, 40)}`
      : `Cannot index ${typeOf(value)} with ${typeof key === "string" ? shorten(key, 40) : typeOf(key)}`,
  );
}

/** Lists the indexes where `part` begins in `list`; none for an empty part. */
export function indicesOf(list: readonly Json[], part: readonly Json[]): Json {
  if (part.length === 0) return null;
  const found: number[] = [];
  for (let i = 0; i + part.length <= list.length; i++) {
    if (part.every((element, k) => compare(element, list[i + k]) === 0)) found.push(i);
  }
  return found;
}

export function getSlice(value: Json, from: Json, to: Json): Json {
  if (value === null) return null;
  if (typeof value !== "string" && !Array.isArray(value))
    throw new JqError(`Cannot index ${typeOf(value)} with object`);
  if (typeof value === "string" && surrogates.test(value)) {
    const characters = [...value];
    const [start, end] = bounds(from, to, characters.length);
    return characters.slice(start, end).join("");
  }
  const [start, end] = bounds(from, to, value.length);
  return value.slice(start, end);
}

/** jq rounds a start down and an end up. */
function bounds(first: Json, end: Json, length: number): readonly [number, number] {
  const [from, to] = [asPlace(first), asPlace(end)];
  if ((from !== null && typeof from !== "number") || (to !== null && typeof to !== "number")) {
    throw new JqError("Start and end indices of an array slice must be numbers");
  }
  const clamp = (at: number): number => Math.max(0, Math.min(length, at < 0 ? at + length : at));
  const start = clamp(Math.floor(Number.isNaN(from ?? 0) ? 0 : (from ?? 0)));
  const stop = clamp(Math.ceil(to === null || Number.isNaN(to) ? length : to));
  return [start, Math.max(start, stop)];
}

/** The most keys of a path. */
const maxPath = 10_000;

export function getPath(value: Json, path: Path): Json {
  if (path.length > maxPath) throw new JqError("Path too deep");
  let at = value;
  for (const key of path) {
    if (at === null) return null;
    at = getIndex(at, key);
  }
  return at;
}

/** Returns a copy with the value at the path replaced. Throws JqError. */
export function setPath(value: Json, path: Path, change: (old: Json) => Json, at = 0): Json {
  if (path.length > maxPath) throw new JqError("Path too deep");
  if (at === path.length) return change(value);
  const key = path[at];
  return setIndex(value, key, setPath(getIndex(value, key), path, change, at + 1));
}

function setIndex(value: Json, given: Json, element: Json): Json {
  const key = asPlace(given);
  if (typeof key === "string" && (value === null || isObject(value))) {
    const copy = copyOf(value ?? {});
    setOwn(copy, key, element);
    return copy;
  }
  if (typeof key === "number" && (value === null || Array.isArray(value))) return setElement(value ?? [], key, element);
  if (isObject(key) && (value === null || Array.isArray(value))) {
    if (!Array.isArray(element)) throw new JqError("A slice of an array can only be assigned another array");
    const list: readonly Json[] = value ?? [];
    const [start, end] = bounds(key["start"] ?? null, key["end"] ?? null, list.length);
    return chargeList([...list.slice(0, start), ...element, ...list.slice(end)]);
  }
  throw new JqError(
    `Cannot update field at ${isObject(key) ? "object" : typeof key === "number" ? "array" : typeOf(key)} index of ${typeOf(value)}`,
  );
}

function setElement(list: readonly Json[], key: number, element: Json): Json {
  if (Number.isNaN(key)) throw new JqError("Cannot set array element at NaN index");
  const at = Math.floor(key) < 0 ? Math.floor(key) + list.length : Math.floor(key);
  if (at < 0) throw new JqError("Out of bounds negative array index");
  if (at > 536_870_911) throw new JqError("Array index too large");
  checkLength(8 * (at + 1));
  const copy = [...list];
  while (copy.length < at) copy.push(null);
  copy[at] = element;
  return chargeList(copy);
}

/** Returns a copy without the values at these paths, which all refer to the original value. */
export function deletePaths(value: Json, paths: readonly Json[]): Json {
  const given = sorted(paths, (one) => one).map((path): Path => {
    if (!Array.isArray(path)) throw new JqError("Path must be specified as an array");
    return path as Path;
  });
  if (given.length === 0) return value;
  return given[0]?.length === 0 ? null : deleteSorted(value, given, 0);
}

/** `paths` share their first `depth` keys; paths with the same next key are adjacent. */
function deleteSorted(value: Json, paths: readonly Path[], depth: number): Json {
  if (value === null) return null;
  let result: Json = value;
  const ends: Json[] = [];
  for (let at = 0; at < paths.length; ) {
    const key: Json = paths[at]?.[depth];
    let next = at + 1;
    while (next < paths.length && compare(paths[next]?.[depth], key) === 0) next += 1;
    const group = paths.slice(at, next);
    if (group.some((path) => path.length === depth + 1)) ends.push(key);
    else {
      const inner = getIndex(result, key);
      if (inner !== null) result = setIndex(result, key, deleteSorted(inner, group, depth + 1));
    }
    at = next;
  }
  return ends.length === 0 ? result : deleteKeys(result, ends);
}

function deleteKeys(value: Json, keys: readonly Json[]): Json {
  if (isObject(value)) {
    const copy = copyOf(value);
    for (const key of keys) {
      if (typeof key !== "string") throw new JqError(`Cannot delete ${typeOf(key)} index of object`);
      delete copy[key];
    }
    return copy;
  }
  if (!Array.isArray(value)) {
    throw new JqError(
      `Cannot delete field at ${typeof keys[0] === "string" ? "object" : "array"} index of ${typeOf(value)}`,
    );
  }
  const gone = new Set<number>();
  for (const key of keys) {
    if (typeof key === "number") gone.add(Math.floor(key) < 0 ? Math.floor(key) + value.length : Math.floor(key));
    else if (isObject(key)) {
      const [start, end] = bounds(key["start"] ?? null, key["end"] ?? null, value.length);
      for (let i = start; i < end; i++) gone.add(i);
    } else
      throw new JqError(`Cannot delete field at ${typeof key === "string" ? "object" : typeOf(key)} index of array`);
  }
  return chargeList(value.filter((_, i) => !gone.has(i)));
}
