/** The outputs of jq's nodes: values, each with its path if paths are requested. */
import type { Path } from "./paths.ts";
import { chargeList, describeValue, isObject, JqError, type Json, shorten, tick } from "./values.ts";

/**
 * A value and its path in the input; `path` is undefined if none is requested, null if the value is not part of the
 * input.
 */
export interface Output {
  readonly value: Json;
  readonly path: Path | null | undefined;
}

export type Outputs = Generator<Output, void, undefined>;

/** Returns the input without requesting a path. */
export function dropPath(input: Output): Output {
  return input.path === undefined ? input : { value: input.value, path: undefined };
}

/** Makes an output whose value is not part of the input. */
export function newOutput(input: Output, value: Json): Output {
  return { value: value ?? null, path: input.path === undefined ? undefined : null };
}

/** Extends an output by a key; its path must be known when one is requested. */
export function stepInto({ path }: Output, key: Json, element: Json): Output {
  if (path === undefined || path === null) return { value: element ?? null, path };
  return { value: element ?? null, path: chargeList([...path, key]) };
}

/** Throws if a path is requested and the value is not part of the input. */
export function requirePath({ value, path }: Output, what: string): void {
  if (path === null) throw new JqError(`Invalid path expression near attempt to ${what} ${shorten(value, 30)}`);
}

export function* elements(of: Output): Outputs {
  const { value } = of;
  requirePath(of, "iterate through");
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) yield stepInto(of, i, value[i]);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) yield stepInto(of, key, value[key]);
  } else throw new JqError(`Cannot iterate over ${value === null ? "null" : describeValue(value)}`);
}

/** Evaluates `..` without recursion: a document may be deep, and its lists long. */
export function* recurse(input: Output): Outputs {
  const stack: Iterator<Output>[] = [[input].values()];
  for (let walk = stack.at(-1); walk !== undefined; walk = stack.at(-1)) {
    const { done, value: at } = walk.next();
    if (done === true) {
      stack.pop();
      continue;
    }
    tick();
    yield at;
    if (typeof at.value === "object" && at.value !== null) stack.push(elements(at)[Symbol.iterator]());
  }
}
