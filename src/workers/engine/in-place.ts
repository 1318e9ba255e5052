/**
 * Lists and maps that steps change in place (docs/decisions/0038). Names of a run hold references, so a change through
 * one name is seen through the others, as in Camel. A flow without a function that changes in place pays nothing: its
 * lists and maps are never copied here.
 */
import { FlowException } from "./exception.ts";

/** Whether the thread has compiled a function that changes in place. A thread serves one flow. */
let permitted = false;

/** Called when a function that changes in place is compiled. */
export function permitChanges(): void {
  permitted = true;
}

export function changesInPlace(): boolean {
  return permitted;
}

/** Returns a copy of a value's lists and maps. Two places with the same list have the same copy. */
export type OwnCopy = (value: unknown) => unknown;

/** Returns a copier for the values of one message; undefined in a flow that changes nothing in place. */
export function ownCopies(): OwnCopy | undefined {
  if (!permitted) return undefined;
  const copies = new Map<object, object>();
  return (value) => copyOf(value, copies);
}

/** Returns the value, in a flow that changes in place a copy of its lists and maps. */
export function ownCopy<T>(value: T): T {
  return permitted ? (copyOf(value, new Map()) as T) : value;
}

/**
 * Returns a value that no step can change in place, for lists and maps that belong to a text, such as parsed JSON, or to
 * several runs: the value itself in a flow that changes nothing, else a frozen copy.
 */
export function fixedCopy<T>(value: T): T {
  return permitted && !isFixed(value) ? (copyOf(value, new Map(), true) as T) : value;
}

/** As `fixedCopy`, for a value that nobody else has, such as one that was parsed just now: it is frozen itself. */
export function fix<T>(value: T): T {
  if (!permitted) return value;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (!isContainer(one) || isFixed(one)) continue;
    Object.freeze(one);
    for (const inner of Array.isArray(one) ? one : Object.values(one)) open.push(inner);
  }
  return value;
}

export function isFixed(value: unknown): boolean {
  return Object.isFrozen(value);
}

function copyOf(value: unknown, copies: Map<object, object>, freeze = false): unknown {
  if (!isContainer(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const copy = Array.isArray(value) ? value.slice() : (Object.create(Object.getPrototypeOf(value)) as object);
  copies.set(value, copy);
  if (Array.isArray(copy)) {
    for (let at = 0; at < copy.length; at++) if (isContainer(copy[at])) copy[at] = copyOf(copy[at], copies, freeze);
  } else {
    for (const [key, inner] of Object.entries(value)) {
      const own = copyOf(inner, copies, freeze);
      if (key === "__proto__") define(copy, key, own);
      else (copy as Record<string, unknown>)[key] = own;
    }
  }
  return freeze ? Object.freeze(copy) : copy;
}

/** Adds a value to a list. Throws IllegalArgumentException when the list would contain itself. */
export function addInPlace(list: unknown[], value: unknown): void {
  refuseCycle(list, value);
  list.push(value);
}

/** Sets a key of a map. Throws as `addInPlace`. */
export function putInPlace(map: Record<string, unknown>, key: string, value: unknown): void {
  refuseCycle(map, value);
  if (key === "__proto__") define(map, key, value);
  else map[key] = value;
}

function define(map: object, key: string, value: unknown): void {
  Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
}

function refuseCycle(container: object, value: unknown): void {
  if (!isContainer(value)) return;
  const seen = new Set<object>();
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (!isContainer(one) || seen.has(one)) continue;
    if (one === container) {
      const message = "a list or a map cannot be added to itself: JSON cannot express that";
      throw new FlowException("java.lang.IllegalArgumentException", message);
    }
    seen.add(one);
    for (const inner of Object.values(one)) open.push(inner);
  }
}

function isContainer(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return true;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
